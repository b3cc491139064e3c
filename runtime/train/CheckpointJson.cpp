#include "runtime/train/CheckpointJson.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace amp::runtime {
namespace {

struct Numbers {
  std::optional<int64_t> format, attempts, updates, skipsInARow, seed;
};

/// One flat object with one object of texts in it: nothing is built from what is not asked for.
class Reader : public nlohmann::json_sax<nlohmann::json> {
public:
  CheckpointRecord record;
  Numbers numbers;
  std::string problem;

  bool start_object(size_t) override {
    ++depth;
    if (depth == 2 && current != "application")
      return refuse("holds an object where none is known");
    return depth <= 2 || refuse("is nested deeper than a checkpoint is");
  }
  bool end_object() override {
    --depth;
    return true;
  }
  bool key(std::string &name) override {
    current = name;
    if (depth == 1 && !seen.insert(name).second)
      return refuse("has the key " + runtime::quoted(name) + " twice");
    return true;
  }
  bool string(std::string &value) override {
    if (depth == 2)
      record.application[current] = std::move(value);
    else if (depth == 1 && current == "package")
      record.package = std::move(value);
    return depth != 0 || refuse("is no object");
  }
  bool number_integer(int64_t value) override { return number(value); }
  bool number_unsigned(uint64_t value) override {
    if (value > static_cast<uint64_t>(INT64_MAX))
      return refuse("has a number over 64 bits at " + runtime::quoted(current));
    return number(static_cast<int64_t>(value));
  }
  bool number_float(double, const std::string &) override {
    return refuse("has a fraction at " + runtime::quoted(current));
  }
  bool null() override { return refuse("has null at " + runtime::quoted(current)); }
  bool boolean(bool) override { return refuse("has a truth value at " + runtime::quoted(current)); }
  bool binary(nlohmann::json::binary_t &) override { return refuse("has bytes at " + runtime::quoted(current)); }
  bool start_array(size_t) override { return refuse("has a list at " + runtime::quoted(current)); }
  bool end_array() override { return true; }
  bool parse_error(size_t position, const std::string &, const nlohmann::detail::exception &) override {
    return refuse("is no JSON at byte " + std::to_string(position));
  }

private:
  bool refuse(std::string text) {
    problem = std::move(text);
    return false;
  }
  bool number(int64_t value) {
    if (depth != 1)
      return refuse("has a number at " + runtime::quoted(current) + ", wanted a text");
    if (current == "format")
      numbers.format = value;
    else if (current == "attempts")
      numbers.attempts = value;
    else if (current == "updates")
      numbers.updates = value;
    else if (current == "skips_in_a_row")
      numbers.skipsInARow = value;
    else if (current == "seed")
      numbers.seed = value;
    return true;
  }

  int depth = 0;
  std::string current;
  std::set<std::string> seen;
};

} // namespace

Result<std::string> checkpointJson(const CheckpointRecord &record, const PackageReader &package) {
  nlohmann::ordered_json json;
  json["format"] = checkpointVersion;
  json["package"] = digestText(package.digest());
  json["attempts"] = record.attempts;
  json["updates"] = record.updates;
  json["skips_in_a_row"] = record.skipsInARow;
  json["seed"] = record.seed;
  json["application"] = record.application;
  try {
    return json.dump(2) + "\n";
  } catch (const nlohmann::json::exception &) {
    return Status(StatusCode::Argument, "a text of the application is no UTF-8, which checkpoint.json cannot hold; "
                                        "encode it first");
  }
}

Result<CheckpointRecord> parseCheckpointJson(ByteSpan text, const std::string &place) {
  Reader reader;
  bool whole = nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
  const std::string remedy = "; take another checkpoint";
  if (!whole)
    return Status(StatusCode::Damaged,
                  (reader.problem.empty() ? "is no JSON of a checkpoint" : reader.problem) + remedy, place);
  const Numbers &numbers = reader.numbers;
  if (numbers.format && *numbers.format != checkpointVersion)
    return Status(StatusCode::Version,
                  "has checkpoint format " + std::to_string(*numbers.format) + ", this runtime reads format " +
                      std::to_string(checkpointVersion) + "; load it with the version that wrote it",
                  place);
  if (!numbers.format || !numbers.attempts || !numbers.updates || !numbers.skipsInARow || !numbers.seed)
    return Status(StatusCode::Damaged, "lacks one of format, attempts, updates, skips_in_a_row, seed" + remedy, place);
  if (std::min({*numbers.attempts, *numbers.updates, *numbers.skipsInARow}) < 0)
    return Status(StatusCode::Damaged, "counts below zero" + remedy, place);
  CheckpointRecord record = std::move(reader.record);
  record.attempts = *numbers.attempts;
  record.updates = *numbers.updates;
  record.skipsInARow = *numbers.skipsInARow;
  record.seed = *numbers.seed;
  return record;
}

} // namespace amp::runtime
