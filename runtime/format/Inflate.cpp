#include "runtime/format/Inflate.h"

#include <algorithm>
#include <zlib.h>

namespace amp::runtime {
namespace {

// What one call of inflate() is given at most: its counters are 32 bits.
constexpr uint64_t largestPiece = uint64_t(1) << 30;
constexpr uint64_t smallestGrowth = uint64_t(1) << 16;

class Inflater {
public:
  Inflater(ByteSpan packed, uint64_t most, std::vector<uint8_t> &to, const std::string &place)
      : packed(packed), most(most), to(to), place(place) {}
  ~Inflater() {
    if (started)
      inflateEnd(&stream);
  }
  Inflater(const Inflater &) = delete;
  Inflater &operator=(const Inflater &) = delete;

  Status run(DeflateWrapper wrapper);

private:
  Status runMember();
  bool makeRoom();

  ByteSpan packed;
  uint64_t most;
  std::vector<uint8_t> &to;
  const std::string &place;
  z_stream stream{};
  bool started = false;
  uint64_t consumed = 0;
  uint64_t produced = 0;
};

// Doubles what is there, so that the memory stays in proportion to the content and the time linear.
bool Inflater::makeRoom() {
  if (produced == most)
    return false;
  to.resize(std::min(most, std::max(produced * 2, smallestGrowth)));
  return true;
}

Status Inflater::runMember() {
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    // A stream that has given `most` bytes may still have to say that it ends: one spare byte tells the two apart.
    uint8_t spare;
    bool full = produced == to.size() && !makeRoom();
    uint64_t room = full ? 1 : std::min<uint64_t>(to.size() - produced, largestPiece);
    uint64_t piece = std::min<uint64_t>(packed.size() - consumed, largestPiece);
    stream.next_in = const_cast<Bytef *>(packed.data() + consumed);
    stream.avail_in = uInt(piece);
    stream.next_out = full ? &spare : to.data() + produced;
    stream.avail_out = uInt(room);
    code = inflate(&stream, Z_NO_FLUSH);
    uint64_t given = room - stream.avail_out;
    consumed += piece - stream.avail_in;
    if (full && given > 0)
      return damaged(place, "compressed data go on after " + std::to_string(most) + " bytes, wanted their end");
    produced += given;
    if (code == Z_MEM_ERROR)
      return Status(StatusCode::Memory, "not enough memory to decompress", place);
    if (code == Z_STREAM_END || code == Z_OK)
      continue;
    if (code == Z_BUF_ERROR)
      return damaged(place, "compressed data end early, after " + std::to_string(packed.size()) + " bytes");
    return damaged(place, "compressed data are damaged before byte " + std::to_string(consumed) +
                              (stream.msg ? std::string(" (") + stream.msg + ")" : std::string()));
  }
  return Status();
}

Status Inflater::run(DeflateWrapper wrapper) {
  constexpr int window = 15;
  constexpr int gzipFlag = 16;
  if (inflateInit2(&stream, wrapper == DeflateWrapper::Gzip ? window + gzipFlag : -window) != Z_OK)
    return Status(StatusCode::Memory, "not enough memory to decompress", place);
  started = true;
  do {
    if (Status status = runMember(); !status.isOk())
      return status;
    if (wrapper == DeflateWrapper::Raw)
      break;
    inflateReset(&stream);
  } while (consumed < packed.size());
  if (consumed != packed.size())
    return damaged(place, std::to_string(packed.size() - consumed) +
                              " bytes after the end of the compressed data, wanted none");
  to.resize(produced);
  return Status();
}

} // namespace

Status inflateInto(ByteSpan packed, DeflateWrapper wrapper, uint64_t most, std::vector<uint8_t> &to,
                   const std::string &place) {
  to.clear();
  return Inflater(packed, most, to, place).run(wrapper);
}

} // namespace amp::runtime
