// The groups of a mesh while it is read: by dimension and number, with names where the file has some.
#pragma once

#include <cstdlib>
#include <map>
#include <utility>

#include "pecann/mesh/bytes_reader.h"
#include "pecann/mesh/mesh.h"

namespace pecann::mesh {

class GroupList {
 public:
  /// What a region's name cannot have becomes '_'.
  void name(int dimension, std::int64_t number, const std::string& text) {
    std::string clean = shortened(text);
    for (char& c : clean)
      if (c == '"' || c == '\\' || c == '=') c = '_';
    const std::size_t begin = clean.find_first_not_of(' '), end = clean.find_last_not_of(' ');
    names_[{dimension, number}] = begin == std::string::npos ? "" : clean.substr(begin, end - begin + 1);
  }

  /// Number 0 is none; a negative one is the same group seen from the other side.
  void add(const BytesReader& reader, int dimension, std::int64_t number, std::size_t cell) {
    if (number == 0) return;
    const auto key = std::make_pair(dimension, number < 0 ? -number : number);
    std::vector<std::uint32_t>& own = cells_[key];
    if (cells_.size() > kMostGroups) reader.fail("the mesh has more than " + std::to_string(kMostGroups) + " groups");
    if (own.empty() || own.back() != cell) own.push_back(static_cast<std::uint32_t>(cell));
  }

  /// The groups that have cells, by dimension and number; those without a name are group_7.
  std::vector<Group> groups() const {
    std::vector<Group> all;
    for (const auto& [key, cells] : cells_) {
      const auto named = names_.find(key);
      all.push_back(
          {named != names_.end() && !named->second.empty() ? named->second : "group_" + std::to_string(key.second),
           key.first, cells});
    }
    return all;
  }

 private:
  std::map<std::pair<int, std::int64_t>, std::string> names_;
  std::map<std::pair<int, std::int64_t>, std::vector<std::uint32_t>> cells_;
};

}  // namespace pecann::mesh
