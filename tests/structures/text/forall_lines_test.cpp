#include "structures/text/forall_lines.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/structures/graph/graph_files.hpp"
#include "tests/structures/text/text_files.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace Grappa { namespace {

typedef std::vector<std::string> Lines;

std::string text_here;              // the lines that this core has visited
int64_t waiting = 0, most_waiting;  // bodies on this core that wait for another core
int64_t calls_here = 0;

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// Returns the lines that the loop visits on all cores, sorted.
Lines visited(const std::string& paths) {
  on_all_cores([] { text_here.clear(); });
  forall_lines(paths, [](const TextLine& line) { text_here += line.str() + "\n"; });
  Lines all;
  for (Core c = 0; c < cores(); ++c) {
    const auto text = delegate::call(c, [] { return detail::RemoteText(text_here); }).fetch();
    for (size_t at = 0, end; at < text.size(); at = end + 1) {
      end = text.find('\n', at);
      all.push_back(text.substr(at, end - at));
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

Lines sorted(Lines lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Lines of different lengths, some empty.
Lines some_lines(int64_t n, const std::string& name) {
  Lines lines;
  for (int64_t i = 0; i < n; ++i) {
    lines.push_back(i % 7 == 0 ? "" : name + std::to_string(i) + std::string(size_t(i % 90), '.'));
  }
  return lines;
}

TEST(ForallLines, VisitsEachLineOnce) {
  const Folder folder;
  const std::string path = folder.file("lines");
  for (const int64_t n : {0, 1, 2, 5, 3000}) {
    const Lines lines = some_lines(n, "x");
    write_text(path, text_of(lines));
    EXPECT_EQ(visited(path), sorted(lines)) << n;
  }
}

TEST(ForallLines, PassesAllBytesExceptNewlines) {
  const Folder folder;
  const std::string binary("\0\xff\x1f\x8b\x01", 5), path = folder.file("binary");
  write_text(path, "one\r\n" + binary + "\n\nlast");
  EXPECT_EQ(visited(path), sorted({"one\r", binary, "", "last"}));
}

TEST(ForallLines, VisitsAllFilesThatMatchAPattern) {
  const Folder folder;
  Lines all;
  for (int64_t k = 0; k < 9; ++k) {
    const Lines lines = some_lines(k * k * 10, std::to_string(k) + "_");
    std::string text = text_of(lines);
    if (k % 2 == 1) text.pop_back();  // the last line has no newline
    const std::string number = std::to_string(k);
    if (k < 6) write_text(folder.file("a" + number), text);
    if (k == 6) write_text(folder.file("a6.gz"), zipped(text));
    if (k == 7) write_text(folder.file("a7.zst"), zstd_frame(text));
    if (k == 8) write_text(folder.file("b" + number), text);
    if (k < 8) all.insert(all.end(), lines.begin(), lines.end());
  }
  EXPECT_EQ(visited(folder.file("a*")), sorted(all));
  EXPECT_EQ(complaint([&] { visited(folder.file("c*")); }),
            folder.file("c*") + ": no file has such a name");
  write_text(folder.file("a[1]"), "a file\n");
  EXPECT_EQ(visited(folder.file("a[1]")), Lines{"a file"}) << "an existing file is no pattern";
}

// The texts have many pieces.
TEST(ForallLines, VisitsEachLineOfCompressedFilesOnce) {
  const Folder folder;
  const Lines a = some_lines(100000, "a"), b = some_lines(70000, "b"), c = {"c", "", "d"};
  const std::string text = text_of(b);
  write_text(folder.file("a.gz"), zipped(text_of(a), 1));
  write_text(folder.file("b.zst"),
             zstd_frame(text.substr(0, 999999)) + zstd_frame("") + zstd_frame(text.substr(999999)));
  write_text(folder.file("c.gz"), zipped(text_of(c)) + std::string(5, '\0'));
  Lines all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  EXPECT_TRUE(visited(folder.file("*")) == sorted(all));
}

// Changes the limit of open files on all cores to `more` above the number of open files.
void limit_open_files(int more) {
  on_all_cores([more] {
    const int lowest_free = ::dup(0);
    ASSERT_GE(lowest_free, 0);
    ::close(lowest_free);
    rlimit limit;
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = std::min(limit.rlim_max, rlim_t(lowest_free + more));
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  });
}

TEST(ForallLines, ReadsMoreCompressedFilesThanMayBeOpen) {
  const Folder folder;
  Lines all;
  for (int64_t k = 0; k < 64; ++k) {
    const Lines lines = some_lines(5, std::to_string(k) + "_");
    write_text(folder.file(std::to_string(k) + ".gz"), zipped(text_of(lines)));
    all.insert(all.end(), lines.begin(), lines.end());
  }
  limit_open_files(10);
  EXPECT_EQ(visited(folder.file("*")), sorted(all));
  limit_open_files(1000);
}

// Pieces of 40 MiB: 64 MiB may be dealt at a time.
TEST(ForallLines, LimitsTheBytesThatAreDealt) {
  // With a single small buffer, the copies take half a minute.
  if (detail::scheduler().options().num_workers < 64) return;
  const Folder folder;
  const std::string line = std::string(size_t{33} << 20, '.') + "\n";
  write_text(folder.file("long.gz"), zipped(line + line, 1));
  on_all_cores([] { waiting = most_waiting = 0; });
  forall_lines(folder.file("long.gz"), [](const TextLine&) {
    delegate::call(0, [] { most_waiting = std::max(most_waiting, ++waiting); });
    for (int k = 0; k < 100; ++k) delegate::call((mycore() + 1) % cores(), [] { yield(); });
    delegate::call(0, [] { --waiting; });
  });
  EXPECT_EQ(delegate::call(0, [] { return most_waiting; }), 1);
}

// Each reading of this clock takes half a second, so a short loop seems to take long.
class SlowReadings : public detail::VirtualTime {
 public:
  SlowReadings() : now_(detail::ticks()) { detail::virtual_time = this; }
  ~SlowReadings() { detail::virtual_time = before_; }
  uint64_t now_ns() override { return now_ += 500000000; }
  void idle_until(uint64_t) override {}
  void executed(const void*, uint64_t, uint64_t) override {}

 private:
  uint64_t now_;
  VirtualTime* const before_ = detail::virtual_time;
};

// Core 0 estimates the bytes of all cores from its own.
TEST(ForallLines, ShowsTheBytesOfAllFilesThatAreRead) {
  const Folder folder;
  const std::string text = text_of(some_lines(300, "p"));
  for (int64_t k = 0; k < 4 * cores(); ++k) {
    write_text(folder.file("p" + std::to_string(k)), text);
    write_text(folder.file("p" + std::to_string(k) + ".gz"), zipped(text));
  }
  ::setenv("GRAPPA_TERMINAL", "1", 1);
  for (const std::string files : {"*[0-9]", "*.gz", "*"}) {
    testing::internal::CaptureStderr();
    {
      const SlowReadings clock;
      forall_lines(folder.file(files), [](const TextLine&) {});
    }
    const std::string shown = testing::internal::GetCapturedStderr();
    EXPECT_EQ(shown.find("\rreading: "), 0u) << shown;
    EXPECT_NE(shown.find(" bytes/s  "), std::string::npos) << shown;
    EXPECT_NE(shown.find("\rreading: 100%"), std::string::npos) << shown;
    const std::string erased = "\033[K\r\033[K";
    EXPECT_EQ(shown.rfind(erased) + erased.size(), shown.size()) << shown;
  }
  ::unsetenv("GRAPPA_TERMINAL");
}

TEST(ForallLines, RunsManyBodiesThatSuspend) {
  const Folder folder;
  write_text(folder.file("lines"), text_of(some_lines(20000, "y")));
  write_text(folder.file("more.gz"), zipped(text_of(some_lines(2000, "y"))));
  on_all_cores([] { waiting = most_waiting = calls_here = 0; });
  forall_lines(folder.file("*"), [](const TextLine& line) {
    const std::string before = line.str();
    most_waiting = std::max(most_waiting, ++waiting);
    delegate::call((mycore() + 1) % cores(), [] {
      ++calls_here;
      yield();
    });
    --waiting;
    EXPECT_EQ(line.str(), before);
  });
  EXPECT_EQ(sum_all_cores([] { return calls_here; }), 22000);
  const int64_t tasks = detail::scheduler().options().num_workers;
  EXPECT_GT(sum_all_cores([] { return most_waiting; }), std::min<int64_t>(16, tasks));
}

TEST(ForallLines, WaitsForTheWorkOfItsBodies) {
  const Folder folder;
  write_text(folder.file("lines"), text_of(some_lines(5000, "z")));
  on_all_cores([] { calls_here = 0; });
  forall_lines(folder.file("lines"), [](const TextLine& line) {
    delegate::call<async>(line.size() % cores(), [] { ++calls_here; });
  });
  EXPECT_EQ(sum_all_cores([] { return calls_here; }), 5000);
}

void reject_x(const std::string& paths) {
  forall_lines(paths, [](const TextLine& line) {
    if (!line.empty() && *line.begin() == 'x') line.reject("it is \"" + line.str() + "\"");
  });
}

TEST(ForallLines, ReportsTheFirstLineThatABodyRejects) {
  const Folder folder;
  Lines lines = some_lines(30000, "y");
  lines[25000] = "x3";
  lines[20000] = "x2";
  write_text(folder.file("b"), text_of(lines));
  write_text(folder.file("c"), "x4\n");
  EXPECT_EQ(complaint([&] { reject_x(folder.file("*")); }),
            folder.file("b") + ":20001: it is \"x2\"");
  lines[7000] = "x1";
  for (const std::string name : {"a.gz", "a.zst"}) {
    const std::string text = text_of(lines), path = folder.file(name);
    write_text(path, name == "a.gz" ? zipped(text) : zstd_frame(text));
    EXPECT_EQ(complaint([&] { reject_x(folder.file("*")); }), path + ":7001: it is \"x1\"");
    ::unlink(path.c_str());
  }
}

TEST(ForallLines, PrintsRejectedLinesInOnePrintableLine) {
  const Folder folder;
  const std::string path = folder.file("a");
  const std::string bytes("x\0\x1b[31m\r\"", 9);
  write_text(path, bytes + "\n");
  EXPECT_EQ(complaint([&] { reject_x(path); }), path + R"(:1: it is "x\x00\x1b[31m\x0d"")");
  EXPECT_EQ(complaint([&] {
              forall_lines(path,
                           [](const TextLine& line) { line.reject(line.quoted() + " is bad"); });
            }),
            path + R"(:1: "x\x00\x1b[31m\x0d\"" is bad)");
  write_text(path, "x" + std::string(5000, 'y'));
  EXPECT_EQ(complaint([&] { reject_x(path); }),
            path + ":1: it is \"x" + std::string(1000 - 8, 'y') + "...");
}

// On several cores, other cores may have begun with the later file.
TEST(ForallLines, DoesNotReadFilesAfterABadLine) {
  const Folder folder;
  const std::string bad = "x\n", good = text_of(some_lines(1000, "y"));
  for (const std::string name : {"a", "a.gz"}) {
    const bool zip = name == "a.gz";
    write_text(folder.file(name), zip ? zipped(bad) : bad);
    write_text(folder.file("later" + name), zip ? zipped(good) : good);
    on_all_cores([] { calls_here = 0; });
    complaint([&] {
      forall_lines(folder.file("*"), [](const TextLine& line) {
        ++calls_here;
        if (!line.empty() && *line.begin() == 'x') line.reject("it is bad");
      });
    });
    EXPECT_EQ(calls_here, cores() == 1 ? 1 : calls_here) << name;
    ::unlink(folder.file(name).c_str());
    ::unlink(folder.file("later" + name).c_str());
  }
}

// The file is sparse: its second line has 1 GiB of zeros.
TEST(ForallLines, RefusesALineThatIsTooLong) {
  const Folder folder;
  const std::string path = folder.file("long");
  write_text(path, "first\n");
  ASSERT_EQ(::truncate(path.c_str(), off_t{1} << 30), 0);
  const std::string sentence =
      ":2: the line is longer than 67108864 bytes; this is not a text file";
  EXPECT_EQ(complaint([&] { visited(path); }), path + sentence);
}

TEST(ForallLines, RefusesDamagedFiles) {
  const Folder folder;
  const auto problem = [&folder](const std::string& name, const std::string& bytes) {
    const std::string path = folder.file(name);
    write_text(path, bytes);
    const std::string message = complaint([&] { reject_x(path); });
    EXPECT_EQ(message.compare(0, path.size(), path), 0) << message;
    return message.substr(std::min(path.size(), message.size()));
  };
  const std::string text = text_of(some_lines(3000, "y"));
  const std::string gzip = zipped(text), zstd = zstd_frame(text);
  EXPECT_EQ(
      problem("a.gz", gzip.substr(0, gzip.size() / 2)),
      ": the gzip data are truncated: the file ends at byte " + std::to_string(gzip.size() / 2));
  EXPECT_EQ(
      problem("a.zst", zstd.substr(0, zstd.size() / 2)),
      ": the zstd data are truncated: the file ends at byte " + std::to_string(zstd.size() / 2));
  EXPECT_EQ(problem("a.gz", "no"), ": is not a gzip file (incorrect header check) at byte 2");
  EXPECT_EQ(problem("a.zst", "not compressed"),
            ": is not a zstd file (Unknown frame descriptor) at byte 0");
  EXPECT_EQ(problem("a.zst", zstd + "garbage"),
            ": the zstd data end, but other data follow at byte " + std::to_string(zstd.size()));
  std::string second = zstd_frame("x\n" + text);
  second[second.size() / 2] = char(~second[second.size() / 2]);
  EXPECT_EQ(problem("a.zst", zstd + second).find(": the zstd data are damaged ("), 0u);
  const std::string reserved("\x28\xb5\x2f\xfd\x08\x00", 6);  // a header with a reserved bit
  EXPECT_EQ(problem("a.zst", zstd + reserved).find(": the zstd data are damaged ("), 0u);
  const std::string wide("\x28\xb5\x2f\xfd\0\x90\x11\0\0y\n", 11);  // a window of 256 MiB
  EXPECT_EQ(problem("a.zst", wide)
                .find(": the zstd data need a window above 128 MiB (compress the "
                      "file with --long=27 or less) at byte "),
            0u);
  EXPECT_EQ(problem("a.zst", ""), ": the zstd data are truncated: the file ends at byte 0");
  std::string broken = zstd_frame("x\n" + text);
  broken[broken.size() / 2] = char(~broken[broken.size() / 2]);
  EXPECT_EQ(problem("a.zst", broken).find(": the zstd data are damaged ("), 0u)
      << "damage may be the cause of a bad line";
}

TEST(ForallLines, RefusesFilesThatCannotBeRead) {
  const Folder folder;
  EXPECT_EQ(complaint([&] { visited(folder.file("no")); }),
            folder.file("no") + ": cannot be opened: No such file or directory");
  EXPECT_EQ(complaint([&] { visited(folder.path()); }),
            folder.path() + ": is a directory, expected a file");
  EXPECT_EQ(complaint([] { visited("/dev/null"); }),
            "/dev/null: is not a regular file, so the cores cannot share it");
}

}}  // namespace Grappa
