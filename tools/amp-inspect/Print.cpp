#include "tools/amp-inspect/Print.h"

#include <cstdio>

namespace amp::tools {
namespace {

bool isFlat(const Json &json) {
  for (const Json &element : json)
    if (element.is_structured())
      return false;
  return true;
}

std::string escaped(const Json &json) {
  // Names from files are data: a control byte must not reach the terminal.
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return json.is_string() ? text.substr(1, text.size() - 2) : text;
}

/// An object whose values are numbers, texts and flat lists fits one line.
std::string lineOf(const Json &json) {
  std::string line;
  if (json.is_array()) {
    for (const Json &element : json)
      line += (line.empty() ? "" : ", ") + escaped(element);
    return "[" + line + "]";
  }
  if (!json.is_object())
    return escaped(json);
  for (const auto &entry : json.items())
    if (!entry.value().is_null())
      line += (line.empty() ? "" : "  ") + (entry.key() == "name" ? "" : entry.key() + " ") + lineOf(entry.value());
  return line;
}

bool fitsLine(const Json &json) {
  for (const Json &value : json)
    if (value.is_structured() && !isFlat(value))
      return false;
  return true;
}

} // namespace

void printText(const Json &json, unsigned indent) {
  int width = static_cast<int>(indent);
  if (json.is_array()) {
    for (const Json &element : json) {
      if (!element.is_structured() || fitsLine(element))
        std::printf("%*s%s\n", width, "", lineOf(element).c_str());
      else
        printText(element, indent);
    }
    return;
  }
  for (const auto &entry : json.items()) {
    if (entry.value().is_structured() && !(entry.value().is_array() && isFlat(entry.value()))) {
      std::printf("%*s%s:\n", width, "", entry.key().c_str());
      printText(entry.value(), indent + 2);
    } else {
      std::printf("%*s%s: %s\n", width, "", entry.key().c_str(), lineOf(entry.value()).c_str());
    }
  }
}

} // namespace amp::tools
