#include "test/runtime/fixture/Files.h"

using namespace amp::runtime;
using amp::test::FailingFileSystem;
using amp::test::TemporaryDirectory;

namespace {

std::string contents(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readWhole(posixFileSystem(), path, 1 << 20);
  return bytes.isOk() ? std::string(bytes->begin(), bytes->end()) : bytes.status().message();
}

Status writeText(FileSystem &files, const std::string &path, std::string_view text) {
  ByteSpan part = bytesOf(text);
  return writeBeside(files, path, Span<const ByteSpan>(&part, 1));
}

struct ShortFile : ReadableFile {
  uint64_t size() const override { return 10; }
  Result<uint64_t> readSome(uint64_t offset, uint8_t *to, uint64_t length) override {
    if (offset >= end)
      return uint64_t(0);
    *to = static_cast<uint8_t>(offset);
    return uint64_t(1);
  }
  uint64_t end = 10;
};

} // namespace

TEST(Files, AFileIsReplacedWholeOrNotAtAll) {
  for (int64_t calls = 0;; ++calls) {
    TemporaryDirectory directory;
    ASSERT_TRUE(writeText(posixFileSystem(), directory / "f", "old").isOk());
    FailingFileSystem files(calls, true);
    Status status = writeText(files, directory / "f", "new");
    EXPECT_EQ(directory.names(), std::vector<std::string>{"f"}) << "after " << calls << " calls";
    if (!files.failed()) {
      EXPECT_TRUE(status.isOk());
      EXPECT_EQ(contents(directory / "f"), "new");
      EXPECT_GE(calls, 5);
      return;
    }
    EXPECT_FALSE(status.isOk());
    std::string text = contents(directory / "f");
    EXPECT_TRUE(text == "old" || text == "new") << text;
  }
}

TEST(Files, ShortReadsAreContinued) {
  ShortFile file;
  uint8_t bytes[10];
  ASSERT_TRUE(readExactly(file, 0, bytes, 10).isOk());
  EXPECT_EQ(bytes[9], 9);
  file.end = 7;
  Status status = readExactly(file, 0, bytes, 10);
  EXPECT_EQ(status.code(), StatusCode::Damaged);
  EXPECT_NE(status.text().find("ends at byte 7, 3 bytes early"), std::string::npos) << status.text();
}

TEST(Files, OnlyRegularFilesAreOpened) {
  TemporaryDirectory directory;
  ASSERT_TRUE(posixFileSystem().makeDirectory(directory / "d").isOk());
  EXPECT_NE(posixFileSystem().map(directory / "d").status().text().find("is a directory"), std::string::npos);
  EXPECT_EQ(posixFileSystem().map(directory / "none").status().code(), StatusCode::NotFound);
  EXPECT_NE(posixFileSystem().open("/dev/null").status().text().find("no regular file"), std::string::npos);
}

TEST(Files, DirectoriesChangePlaces) {
  TemporaryDirectory directory;
  for (const char *name : {"a", "b"}) {
    ASSERT_TRUE(posixFileSystem().makeDirectory(directory / name).isOk());
    ASSERT_TRUE(writeText(posixFileSystem(), (directory / name) + "/f", name).isOk());
  }
  ASSERT_TRUE(posixFileSystem().exchange(directory / "a", directory / "b").isOk());
  EXPECT_EQ(contents(directory / "a/f"), "b");
  EXPECT_EQ(contents(directory / "b/f"), "a");
  EXPECT_TRUE(removeTree(posixFileSystem(), directory / "a").isOk());
  EXPECT_EQ(directory.names(), std::vector<std::string>{"b"});
}

TEST(Files, AFileOverItsLimitIsNotRead) {
  TemporaryDirectory directory;
  ASSERT_TRUE(writeText(posixFileSystem(), directory / "f", "12345").isOk());
  EXPECT_TRUE(readWhole(posixFileSystem(), directory / "f", 5).isOk());
  EXPECT_FALSE(readWhole(posixFileSystem(), directory / "f", 4).isOk());
}
