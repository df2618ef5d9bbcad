#include "pecann/base/state_archive.h"

#include <cstring>

#include "pecann/base/input_error.h"

namespace pecann {
namespace {

// The format, little-endian as every machine we build for:
//   block    kind ('d' doubles, 'i' integer, 't' text), then its bytes
//   archive  for each block: u64 name length, name, u64 block length, block
void append_size(std::string& out, std::uint64_t size) {
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
}

[[noreturn]] void damaged(const std::string& what) {
  throw InputError({.place = {}, .key = "", .value = "", .rule = "not a readable state: " + what, .hint = ""});
}

std::string_view take(std::string_view& bytes, std::uint64_t count) {
  if (count > bytes.size()) damaged("it ends too early");
  const std::string_view part = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return part;
}

std::uint64_t take_size(std::string_view& bytes) {
  std::uint64_t size;
  std::memcpy(&size, take(bytes, sizeof size).data(), sizeof size);
  return size;
}

/// The values behind a block's kind. An empty array has no address, which memcpy must not be given.
void copy_to(std::span<double> values, const std::string& block) {
  if (!values.empty()) std::memcpy(values.data(), block.data() + 1, values.size_bytes());
}

}  // namespace

void StateWriter::put(std::string_view name, std::span<const double> values) {
  std::string block = "d";
  block.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  blocks_.insert_or_assign(std::string(name), std::move(block));
}

void StateWriter::put_integer(std::string_view name, std::uint64_t value) {
  std::string block = "i";
  append_size(block, value);
  blocks_.insert_or_assign(std::string(name), std::move(block));
}

void StateWriter::put_text(std::string_view name, std::string_view text) {
  blocks_.insert_or_assign(std::string(name), "t" + std::string(text));
}

std::string StateWriter::bytes() const {
  std::string out;
  for (const auto& [name, block] : blocks_) {
    append_size(out, name.size());
    out += name;
    append_size(out, block.size());
    out += block;
  }
  return out;
}

StateReader::StateReader(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view name = take(bytes, take_size(bytes));
    const std::string_view block = take(bytes, take_size(bytes));
    if (block.empty()) damaged("an empty block");
    blocks_.insert_or_assign(std::string(name), std::string(block));
  }
}

bool StateReader::has(std::string_view name) const { return blocks_.contains(name); }

const std::string& StateReader::block(std::string_view name, char kind) const {
  const auto found = blocks_.find(name);
  if (found == blocks_.end()) damaged("'" + std::string(name) + "' is missing");
  if (found->second[0] != kind) damaged("'" + std::string(name) + "' has another type");
  return found->second;
}

std::vector<double> StateReader::get(std::string_view name) const {
  const std::string& bytes = block(name, 'd');
  std::vector<double> values((bytes.size() - 1) / sizeof(double));
  copy_to(values, bytes);
  return values;
}

void StateReader::get(std::string_view name, std::span<double> values) const {
  const std::string& bytes = block(name, 'd');
  if (bytes.size() - 1 != values.size_bytes()) damaged("'" + std::string(name) + "' has another length");
  copy_to(values, bytes);
}

double StateReader::get_number(std::string_view name) const {
  double value;
  get(name, std::span<double>(&value, 1));
  return value;
}

std::uint64_t StateReader::get_integer(std::string_view name) const {
  const std::string& bytes = block(name, 'i');
  if (bytes.size() != 1 + sizeof(std::uint64_t)) damaged("'" + std::string(name) + "' has another length");
  std::uint64_t value;
  std::memcpy(&value, bytes.data() + 1, sizeof value);
  return value;
}

std::uint64_t StateReader::get_integer(std::string_view name, std::uint64_t limit) const {
  const std::uint64_t value = get_integer(name);
  if (value > limit)
    damaged("'" + std::string(name) + "' is " + std::to_string(value) + ", at most " + std::to_string(limit) +
            " is possible");
  return value;
}

std::string StateReader::get_text(std::string_view name) const { return block(name, 't').substr(1); }

}  // namespace pecann
