// A package is opened whole or refused with one message: every truncation, every flipped byte, every field that does
// not fit the others.
#include "runtime/format/PackageLayout.h"
#include "runtime/format/PackageReader.h"
#include "runtime/format/PackageWriter.h"
#include "test/runtime/fixture/Files.h"
#include "test/runtime/fixture/TinyPackage.h"

using namespace amp::runtime;
using namespace amp::test;

namespace {

std::vector<uint8_t> tinyFile(const TinyOptions &options = {}) {
  TemporaryDirectory directory;
  return *readWhole(posixFileSystem(), writeTiny(directory / "tiny.amp", options), 1 << 24);
}

Status openBytes(const std::vector<uint8_t> &bytes) {
  BytesFileSystem files(bytes);
  Result<PackageReader> reader = PackageReader::open(files, "tiny.amp");
  return reader.isOk() ? Status() : reader.status();
}

void expectInconsistent(const TinyOptions &options, const std::string &text) {
  Status status = openBytes(tinyFile(options));
  EXPECT_EQ(status.code(), StatusCode::Damaged);
  EXPECT_NE(status.text().find(text), std::string::npos) << status.message();
}

} // namespace

TEST(Package, OpensAndGivesItsTables) {
  TemporaryDirectory directory;
  Result<PackageReader> reader = PackageReader::open(posixFileSystem(), writeTiny(directory / "tiny.amp"));
  ASSERT_TRUE(reader.isOk()) << reader.status().message();
  EXPECT_EQ(reader->metadata().model()->str(), "tiny.onnx");
  EXPECT_NE(reader->program("micro"), nullptr);
  EXPECT_EQ(reader->program("other"), nullptr);
  EXPECT_EQ(directory.names(), std::vector<std::string>{"tiny.amp"});
}

TEST(Package, EveryTruncationIsRefused) {
  std::vector<uint8_t> whole = tinyFile();
  ASSERT_TRUE(openBytes(whole).isOk());
  for (size_t length = 0; length < whole.size(); ++length) {
    Status status = openBytes(std::vector<uint8_t>(whole.begin(), whole.begin() + long(length)));
    ASSERT_FALSE(status.isOk()) << length;
    ASSERT_EQ(status.code(), StatusCode::Damaged) << status.message();
  }
  whole.push_back(0);
  EXPECT_FALSE(openBytes(whole).isOk());
}

TEST(Package, EveryFlippedByteIsRefused) {
  std::vector<uint8_t> whole = tinyFile();
  for (size_t at = 0; at < whole.size(); ++at)
    for (uint8_t change : {0x01, 0x80}) {
      std::vector<uint8_t> flipped = whole;
      flipped[at] ^= change;
      ASSERT_FALSE(openBytes(flipped).isOk()) << "byte " << at << " ^ " << int(change);
    }
}

TEST(Package, AnotherVersionIsRefusedByNumberWithTheRemedy) {
  std::vector<uint8_t> bytes = tinyFile();
  bytes[8] = package::formatVersion + 1;
  Status status = openBytes(bytes);
  EXPECT_EQ(status.code(), StatusCode::Version);
  EXPECT_EQ(status.message(), "tiny.amp: has package format version 2, this runtime reads version 1; recompile the "
                              "model with the amp-compile of this installation");
}

TEST(Package, OtherFilesAreNoPackage) {
  std::string text = "node { name: 'a' }\nmore and more and more and more and more and more and more";
  EXPECT_NE(openBytes({text.begin(), text.end()}).text().find("is no amp package"), std::string::npos);
  EXPECT_NE(openBytes({}).text().find("is empty"), std::string::npos);
  Result<PackageReader> missing = PackageReader::open(posixFileSystem(), "no/such/file.amp");
  EXPECT_EQ(missing.status().code(), StatusCode::NotFound);
}

TEST(Package, TheSamePartsGiveTheSameBytes) {
  EXPECT_EQ(tinyFile(), tinyFile());
}

TEST(Package, AFailedWriteLeavesTheOldPackage) {
  TinyParts parts = tinyParts();
  for (int64_t calls = 0;; ++calls) {
    TemporaryDirectory directory;
    std::string path = writeTiny(directory / "tiny.amp");
    FailingFileSystem files(calls, true);
    Status status = writePackage(files, path, ByteSpan(parts.metadata), ByteSpan(parts.blobs));
    EXPECT_EQ(directory.names(), std::vector<std::string>{"tiny.amp"});
    EXPECT_TRUE(PackageReader::open(posixFileSystem(), path).isOk());
    EXPECT_EQ(status.isOk(), !files.failed());
    if (!files.failed())
      return;
  }
}

TEST(PackageChecks, ArgumentsLieInsideTheirSections) {
  TinyOptions options;
  options.argumentOffset = 1408 - 255;
  expectInconsistent(options, "program 'micro', launch 0, argument 0 takes 256 bytes at 1153 of 1408");
  options.argumentOffset = UINT64_MAX;
  expectInconsistent(options, "argument 0 takes 256 bytes");
}

TEST(PackageChecks, LaunchesNameKernelsAndGiveThemTheSameArguments) {
  TinyOptions options;
  options.launchKernel = 8;
  expectInconsistent(options, "names kernel 8 of 8");
  options.launchKernel = 1; // tiny_loss is launched with 4 arguments later
  expectInconsistent(options, "gives 4 arguments to kernel 'tiny_loss', which wants 5");
}

TEST(PackageChecks, LibraryCallsNameArgumentsThatAreThere) {
  TinyOptions options;
  options.library = "onednn";
  EXPECT_TRUE(openBytes(tinyFile(options)).isOk());
}

TEST(PackageChecks, GradientsBelongToParameters) {
  TinyOptions options;
  options.gradientOf = "v";
  expectInconsistent(options, "state 'w/gradient' belongs to 'v', which is no state");
  options.gradientOf = "w/copy";
  expectInconsistent(options, "of role Gradient");
}

TEST(PackageChecks, PendingValuesBelongToStatistics) {
  TinyOptions options;
  options.gradientRole = amp::format::Role::Pending;
  expectInconsistent(options, "of role Pending");
}

TEST(PackageChecks, ImagesOfGpusHoldKernelsThatAreThereAndCanBeLaunched) {
  TinyOptions options;
  options.hasImage = true;
  EXPECT_TRUE(openBytes(tinyFile(options)).isOk());
  options.imageThreads = 1025;
  expectInconsistent(options, "binary for 'cuda' asks for more blocks, threads or shared memory of kernel "
                              "'tiny_gradient' than a GPU has");
  options.imageThreads = 256;
  options.imageKernel = 8;
  expectInconsistent(options, "binary for 'cuda' holds kernel 8 of 8");
}

TEST(PackageChecks, TheBlobSectionIsAsLongAsTheMetadataSays) {
  TinyOptions options;
  options.statedBlobBytes = 77;
  expectInconsistent(options, "where the metadata says 77");
}

// Behind a right checksum the FlatBuffers verifier and the checks stand alone: whatever they let through must be safe
// to walk over.
TEST(PackageChecks, ForgedMetadataIsRefusedOrHarmless) {
  TinyParts parts = tinyParts();
  size_t refused = 0;
  for (size_t at = 0; at < parts.metadata.size(); ++at) {
    std::vector<uint8_t> forged = parts.metadata;
    forged[at] ^= 0xff;
    BytesFileSystem files;
    ASSERT_TRUE(writePackage(files, "f.amp", ByteSpan(forged), ByteSpan(parts.blobs)).isOk());
    Result<PackageReader> reader = PackageReader::open(files, "f.amp");
    refused += reader.isOk() ? 0 : 1;
    if (!reader.isOk()) {
      EXPECT_NE(reader.status().text(), "");
    }
  }
  EXPECT_GT(refused, parts.metadata.size() / 4);
}
