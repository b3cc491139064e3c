// The .npy format: magic, version, a Python dictionary literal of three keys, padding, elements.
#include "runtime/format/Npy.h"

#include "runtime/format/NpyHeaderParser.h"

#include <algorithm>
#include <cstring>

namespace amp::runtime {
namespace {

constexpr char magic[] = "\x93NUMPY";
constexpr size_t magicBytes = 6;
// numpy itself refuses to evaluate longer headers than 10,000 bytes unless told otherwise.
constexpr uint64_t maxHeaderBytes = 65536;

struct DescrType {
  const char *descr;
  ScalarType type;
};
// "V2" is what ml_dtypes' bfloat16 becomes in a file.
constexpr DescrType descrTypes[] = {{"<f4", ScalarType::F32},  {"<f8", ScalarType::F64}, {"<f2", ScalarType::F16},
                                    {"<i8", ScalarType::I64},  {"<i4", ScalarType::I32}, {"<i2", ScalarType::I16},
                                    {"|i1", ScalarType::I8},   {"|u1", ScalarType::U8},  {"<u2", ScalarType::U16},
                                    {"|V2", ScalarType::BF16}, {"|b1", ScalarType::Bool}};

Result<ScalarType> typeOfDescr(const std::string &descr, const std::string &place) {
  for (const DescrType &row : descrTypes) {
    // '=' and a byte order on one-byte types are legal, if unusual.
    bool sameKind = descr.size() == 3 && descr.compare(1, 2, row.descr + 1) == 0;
    bool bigEndian = !descr.empty() && descr[0] == '>' && row.descr[0] == '<';
    if (sameKind && bigEndian)
      return unfit(place, "elements are big-endian (" + quoted(descr) + "), wanted little-endian; save array.astype('" +
                              row.descr + "')");
    if (sameKind)
      return row.type;
  }
  if (descr.find('O') != std::string::npos)
    return unfit(place, "Python objects (" + quoted(descr) + "), which are never unpickled; save an array of numbers");
  return unfit(place, "element type " + quoted(descr) +
                          ", wanted one of f4 f8 f2 i8 i4 i2 i1 u1 u2 b1 or V2 (bfloat16); convert it with astype");
}

struct Preamble {
  uint64_t headerOffset;
  uint64_t headerBytes;
};

Result<Preamble> readPreamble(ByteSpan bytes, const std::string &place) {
  if (bytes.size() < magicBytes + 2 || std::memcmp(bytes.data(), magic, magicBytes) != 0)
    return damaged(place, "no .npy array: its first bytes are not \\x93NUMPY and a version");
  unsigned major = bytes[magicBytes];
  unsigned minor = bytes[magicBytes + 1];
  if (major < 1 || major > 3 || minor != 0)
    return damaged(place,
                   ".npy version " + std::to_string(major) + "." + std::to_string(minor) + ", wanted 1.0, 2.0 or 3.0");
  uint64_t lengthBytes = major == 1 ? 2 : 4;
  uint64_t headerOffset = magicBytes + 2 + lengthBytes;
  if (bytes.size() < headerOffset)
    return damaged(place, "ends inside the .npy header length, after " + std::to_string(bytes.size()) + " bytes");
  const uint8_t *length = bytes.data() + magicBytes + 2;
  uint64_t headerBytes = major == 1 ? loadU16(length) : loadU32(length);
  if (headerBytes > bytes.size() - headerOffset || headerBytes > maxHeaderBytes)
    return damaged(place, "a .npy header of " + std::to_string(headerBytes) + " bytes, wanted at most " +
                              std::to_string(std::min<uint64_t>(bytes.size() - headerOffset, maxHeaderBytes)));
  return Preamble{headerOffset, headerBytes};
}

} // namespace

Result<ArrayView> readNpy(ByteSpan bytes, const std::string &place) {
  Result<Preamble> preamble = readPreamble(bytes, place);
  if (!preamble.isOk())
    return preamble.status();
  std::string_view text(reinterpret_cast<const char *>(bytes.data()) + preamble->headerOffset, preamble->headerBytes);
  Result<NpyHeader> header = parseNpyHeader(text, place);
  if (!header.isOk())
    return header.status();
  Result<ScalarType> type = typeOfDescr(header->descr, place);
  if (!type.isOk())
    return type.status();
  if (header->fortranOrder && header->shape.size() > 1)
    return unfit(place, "in Fortran order, wanted C order; save numpy.ascontiguousarray(array)");
  std::optional<uint64_t> wanted = arrayBytes(*type, header->shape);
  uint64_t dataOffset = preamble->headerOffset + preamble->headerBytes;
  uint64_t present = bytes.size() - dataOffset;
  if (!wanted || *wanted != present)
    return damaged(place, std::to_string(present) + " bytes of elements, wanted " +
                              (wanted ? std::to_string(*wanted) : std::string("more than 2^64")) + " for " +
                              std::string(scalarName(*type)) + shapeText(header->shape));
  return ArrayView{*type, std::move(header->shape), bytes.slice(dataOffset, present)};
}

Result<std::string> npyHeader(ScalarType type, const std::vector<uint64_t> &shape) {
  std::string header = "{'descr': '";
  for (const DescrType &row : descrTypes)
    if (row.type == type)
      header += row.descr;
  header += "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i)
    header += (i ? ", " : "") + std::to_string(shape[i]);
  header += shape.size() == 1 ? ",), }" : "), }";
  constexpr size_t preambleBytes = magicBytes + 4;
  size_t padding = 63 - (preambleBytes + header.size()) % 64;
  header += std::string(padding, ' ') + "\n";
  if (header.size() > UINT16_MAX)
    return unfit("npy", "header of " + std::to_string(header.size()) + " bytes does not fit version 1.0");
  std::string bytes(magic, magicBytes);
  bytes += {'\x01', '\x00', char(header.size() & 0xFF), char(header.size() >> 8)};
  return bytes + header;
}

} // namespace amp::runtime
