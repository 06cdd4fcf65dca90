#include "system/parallel/file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

#include <unistd.h>

namespace {

using namespace Grappa::detail;

TEST(FileParts, AreNamedAfterTheirBytesInTheOrderOfLs) {
  EXPECT_EQ("ranks/0000000000000000-0000000000004096.part", part_path("ranks", {0, 4096}));
  EXPECT_LT(part_path("d", {4096, 9000}), part_path("d", {123456789012, 123456789013}));
}

TEST(FileParts, AreRecognisedByTheirNames) {
  FilePart part;
  EXPECT_TRUE(parse_part_name("0000000000000007-0000000000004096.part", &part));
  EXPECT_EQ(7, part.begin);
  EXPECT_EQ(4096, part.end);
  for (const char* name : {"", ".", "7-4096.part", "0000000000000007-0000000000004096.part~",
                           "0000000000000007-0000000000000007.part", "notes",
                           "-000000000000007-0000000000004096.part"}) {
    EXPECT_FALSE(parse_part_name(name, &part)) << name;
  }
}

TEST(FileParts, OfADirectoryAreListedInOrder) {
  std::string directory = testing::TempDir() + "grappa_parts_XXXXXX";
  ASSERT_NE(nullptr, ::mkdtemp(&directory[0]));
  const std::string beyond = "/99999999999999999999-99999999999999999999.part";
  std::vector<std::string> files = {directory + "/README", directory + beyond};
  for (const FilePart part : {FilePart{100, 200}, FilePart{0, 100}}) {
    files.push_back(part_path(directory, part));
  }
  for (const std::string& file : files) std::fclose(std::fopen(file.c_str(), "w"));
  std::vector<FilePart> parts;
  EXPECT_TRUE(list_parts(directory, &parts));
  ASSERT_EQ(2u, parts.size());
  EXPECT_EQ(0, parts[0].begin);
  EXPECT_EQ(200, parts[1].end);
  for (const std::string& file : files) ::unlink(file.c_str());
  ::rmdir(directory.c_str());
  EXPECT_FALSE(list_parts(directory, &parts));
  EXPECT_EQ(ENOENT, errno);
}

TEST(FileParts, ThatAreMissingAreFoundByTheirFirstByte) {
  const std::vector<FilePart> parts = {{0, 100}, {100, 150}, {200, 300}};
  EXPECT_EQ(150, first_missing(parts, 0, 250));
  EXPECT_EQ(150, first_missing(parts, 30, 150));
  EXPECT_EQ(160, first_missing(parts, 160, 250));
  EXPECT_EQ(250, first_missing(parts, 220, 250));
  EXPECT_EQ(300, first_missing(parts, 220, 301));
  EXPECT_EQ(5, first_missing({}, 5, 6));
  EXPECT_EQ(6, first_missing({}, 6, 6));
}

}  // namespace
