// Named arrays as bytes: what a checkpoint is made of. Every object with state writes its arrays under a name of
// its own and reads the same names back; a missing name or another length is an InputError (the file is not
// ours, or damaged).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pecann {

class StateWriter {
 public:
  void put(std::string_view name, std::span<const double> values);
  void put(std::string_view name, double value) { put(name, std::span<const double>(&value, 1)); }
  void put_integer(std::string_view name, std::uint64_t value);
  void put_text(std::string_view name, std::string_view text);

  /// All blocks in the order of their names; the same content always gives the same bytes.
  std::string bytes() const;

 private:
  std::map<std::string, std::string, std::less<>> blocks_;
};

class StateReader {
 public:
  /// Throws InputError when the bytes are not a well-formed archive.
  explicit StateReader(std::string_view bytes);

  bool has(std::string_view name) const;
  std::vector<double> get(std::string_view name) const;
  void get(std::string_view name, std::span<double> values) const;  // the length must fit
  double get_number(std::string_view name) const;
  std::uint64_t get_integer(std::string_view name) const;
  std::uint64_t get_integer(std::string_view name, std::uint64_t limit) const;  // refuses values above `limit`
  std::string get_text(std::string_view name) const;

 private:
  const std::string& block(std::string_view name, char kind) const;
  std::map<std::string, std::string, std::less<>> blocks_;
};

}  // namespace pecann
