#include "structures/text/open_file.hpp"

#include "tests/structures/graph/graph_files.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace Grappa {

using namespace detail;

namespace {

typedef std::vector<std::string> Names;

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

void make_and_write(NewFile* file, const std::string& text) {
  ASSERT_TRUE(file->make()) << file->problem();
  ASSERT_TRUE(write_fully(file->fd(), text.data(), int64_t(text.size()), 0));
}

unsigned mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

TEST(NewFile, ReplacesTheOldFileWhenItIsComplete) {
  const Folder folder;
  const std::string path = folder.file("graph");
  write_text(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  NewFile file(path);
  make_and_write(&file, "new");
  EXPECT_EQ(bytes_of(path), "old");
  ASSERT_TRUE(file.put_in_place()) << file.problem();
  EXPECT_EQ(bytes_of(path), "new");
  EXPECT_EQ(folder.names(), Names{"graph"});
  EXPECT_EQ(mode_of(path), 0640u);
}

TEST(NewFile, LeavesNothingBehindIfItIsAbandoned) {
  const Folder folder;
  write_text(folder.file("graph"), "old");
  {
    NewFile file(folder.file("graph"));
    make_and_write(&file, "new");
    EXPECT_EQ(folder.names().size(), 2u);
  }
  EXPECT_EQ(folder.names(), Names{"graph"});
  EXPECT_EQ(bytes_of(folder.file("graph")), "old");
}

TEST(NewFile, LeavesNothingBehindIfTheRenameFails) {
  const Folder folder;
  const std::string path = folder.file("graph");
  {
    NewFile file(path);
    make_and_write(&file, "new");
    ASSERT_EQ(::mkdir(path.c_str(), 0777), 0);
    EXPECT_FALSE(file.put_in_place());
    EXPECT_EQ(file.problem(), "cannot be replaced: Is a directory");
  }
  EXPECT_EQ(folder.names(), Names{"graph"});
}

TEST(NewFile, ReplacesTheTargetOfALink) {
  const Folder folder;
  write_text(folder.file("graph"), "old");
  ASSERT_EQ(::symlink("graph", folder.file("link").c_str()), 0);
  NewFile file(folder.file("link"));
  make_and_write(&file, "new");
  ASSERT_TRUE(file.put_in_place());
  EXPECT_EQ(bytes_of(folder.file("graph")), "new");
  struct stat status = {};
  ASSERT_EQ(::lstat(folder.file("link").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
}

TEST(NewFile, AvoidsTheNameOfAFileOfAKilledJob) {
  const Folder folder;
  const std::string left = folder.file("graph") + "." + std::to_string(::getpid()) + ".saving";
  write_text(left, "left");
  NewFile file(folder.file("graph"));
  make_and_write(&file, "new");
  ASSERT_TRUE(file.put_in_place());
  EXPECT_EQ(bytes_of(left), "left");
}

TEST(NewFile, ReplacesRegularFilesOnly) {
  const Folder folder;
  ASSERT_EQ(::mkfifo(folder.file("fifo").c_str(), 0666), 0);
  EXPECT_EQ(NewFile(folder.file("fifo")).problem(),
            "is not a regular file, so a file cannot replace it");
  EXPECT_EQ(NewFile("/dev/full").problem(), "is not a regular file, so a file cannot replace it");
  EXPECT_EQ(NewFile("/").problem(), "is a directory, which a file cannot replace");
}

TEST(NewFile, ReportsWhyItCannotBeCreated) {
  NewFile file("/nowhere/graph");
  EXPECT_EQ(file.problem(), "");
  EXPECT_FALSE(file.make());
  EXPECT_EQ(file.problem(), "cannot be written: No such file or directory");
  EXPECT_EQ(NewFile("/dev/null/graph").problem(), "cannot be written: Not a directory");
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write any file";
  const Folder folder;
  write_text(folder.file("graph"), "old");
  ASSERT_EQ(::chmod(folder.file("graph").c_str(), 0444), 0);
  EXPECT_EQ(NewFile(folder.file("graph")).problem(), "cannot be written: Permission denied");
}

}  // namespace
}  // namespace Grappa
