// A parser of the one Python literal that .npy headers are: no recursion, one pass, nothing evaluated.
#include "runtime/format/NpyHeaderParser.h"

namespace amp::runtime {
namespace {

constexpr size_t maxRank = 64; // numpy's own limit

class HeaderParser {
public:
  HeaderParser(std::string_view text, const std::string &place) : text(text), place(place) {}

  Result<NpyHeader> parse();

private:
  Status parseEntry();
  Status parseDescr();
  Status parseOrder();
  Status parseShape();
  Status parseAxis();
  Result<std::string_view> parseString();
  Status fail(const std::string &wanted) const;

  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
      ++at;
  }
  bool take(char wanted) {
    skipSpace();
    if (at == text.size() || text[at] != wanted)
      return false;
    ++at;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipSpace();
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }

  std::string_view text;
  const std::string &place;
  size_t at = 0;
  bool hasDescr = false, hasOrder = false, hasShape = false;
  NpyHeader header;
};

Status HeaderParser::fail(const std::string &wanted) const {
  std::string seen = at < text.size() ? quoted(text.substr(at, 16)) : std::string("its end");
  return damaged(place, "malformed .npy header: " + seen + " at byte " + std::to_string(at) + ", wanted " + wanted);
}

Result<std::string_view> HeaderParser::parseString() {
  skipSpace();
  if (at == text.size() || (text[at] != '\'' && text[at] != '"'))
    return fail("a string");
  size_t close = text.find(text[at], at + 1);
  if (close == std::string_view::npos)
    return fail("a string that ends");
  std::string_view value = text.substr(at + 1, close - at - 1);
  at = close + 1;
  return value;
}

Status HeaderParser::parseDescr() {
  if (hasDescr)
    return fail("'descr' once");
  hasDescr = true;
  skipSpace();
  if (at < text.size() && text[at] == '[')
    return unfit(place, "a structured array, wanted one of numbers; save each field as an array of its own");
  Result<std::string_view> value = parseString();
  if (!value.isOk())
    return value.status();
  header.descr = std::string(*value);
  return Status();
}

Status HeaderParser::parseOrder() {
  if (hasOrder)
    return fail("'fortran_order' once");
  hasOrder = true;
  if (takeWord("True")) {
    header.fortranOrder = true;
    return Status();
  }
  return takeWord("False") ? Status() : fail("True or False");
}

Status HeaderParser::parseAxis() {
  skipSpace();
  size_t first = at;
  uint64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    uint64_t digit = uint64_t(text[at] - '0');
    if (value > (UINT64_MAX - digit) / 10)
      return fail("a dimension below 2^64");
    value = value * 10 + digit;
  }
  if (at == first)
    return fail("a dimension, a number of at least 0");
  if (header.shape.size() == maxRank)
    return fail("at most " + std::to_string(maxRank) + " dimensions");
  header.shape.push_back(value);
  return Status();
}

Status HeaderParser::parseShape() {
  if (hasShape)
    return fail("'shape' once");
  hasShape = true;
  if (!take('('))
    return fail("'('");
  while (!take(')')) {
    if (Status status = parseAxis(); !status.isOk())
      return status;
    if (!take(',')) {
      if (take(')'))
        break;
      return fail("',' or ')'");
    }
  }
  return Status();
}

Status HeaderParser::parseEntry() {
  size_t keyAt = at;
  Result<std::string_view> key = parseString();
  if (!key.isOk())
    return key.status();
  if (!take(':'))
    return fail("':'");
  if (*key == "descr")
    return parseDescr();
  if (*key == "fortran_order")
    return parseOrder();
  if (*key == "shape")
    return parseShape();
  at = keyAt;
  return fail("the keys 'descr', 'fortran_order' and 'shape' alone");
}

Result<NpyHeader> HeaderParser::parse() {
  if (!take('{'))
    return fail("'{'");
  while (!take('}')) {
    if (Status status = parseEntry(); !status.isOk())
      return status;
    if (!take(',')) {
      if (take('}'))
        break;
      return fail("',' or '}'");
    }
  }
  skipSpace();
  if (at != text.size())
    return fail("nothing after '}'");
  if (!hasDescr || !hasOrder || !hasShape)
    return fail(std::string("the key ") + (!hasDescr ? "'descr'" : !hasOrder ? "'fortran_order'" : "'shape'"));
  return std::move(header);
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::string_view text, const std::string &place) {
  return HeaderParser(text, place).parse();
}

} // namespace amp::runtime
