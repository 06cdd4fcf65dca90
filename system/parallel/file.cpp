#include "system/parallel/file.hpp"

#include "system/base/input_error.hpp"
#include "system/base/units.hpp"
#include "system/global/bulk_transfer.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <type_traits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

constexpr int64_t kFilePieceBytes = 4 * MiB;  // a request; file systems need requests of a few MiB
constexpr int64_t kPageBytes = 4 * KiB;       // two cores never share a page of a file

const char kNotWritten[] = "cannot be written";

struct Problem {
  int64_t offset = INT64_MAX;  // offset of the first error in the file or in the concatenated parts
  const char* what = nullptr;  // at the same address on all cores; null if there is no error
  int error = 0;               // errno, or 0
  Core core = 0;

  void note(const Problem& other) {
    if (other.offset < offset) *this = other;
  }
};

struct FileJob {  // sent by value; the pointers are valid on core `home`
  uint64_t array;
  int64_t offset;  // offset of the array in the file
  int64_t bytes;
  bool as_directory;
  Core home;
  Problem* problem;
  const char* path = nullptr;
  int64_t path_length = 0;
  const FilePart* parts = nullptr;  // the parts to read, for a directory
  int64_t part_count = 0;

  FilePart share() const {  // the bytes of the file that this core reads or writes
    const auto bound = [this](int64_t k) {
      return offset + (k == cores() ? bytes : bytes / kPageBytes * k / cores() * kPageBytes);
    };
    return FilePart{bound(mycore()), bound(mycore() + 1)};
  }
};

template <class T>
std::vector<T> fetch(const T* from, int64_t n, Core home) {
  std::vector<T> copy(static_cast<size_t>(n));
  memcpy(copy.data(), make_global(from, home), n);
  return copy;
}

/// Calls pread or pwrite until all bytes are moved. Errors report positions relative to `offset`.
template <class Call, class Byte>
bool move_bytes(Call call, int fd, Byte* memory, int64_t bytes, int64_t place, int64_t offset,
                Problem* problem) {
  constexpr bool kReads = !std::is_const<Byte>::value;
  for (int64_t done = 0; done < bytes;) {
    const ssize_t moved = call(fd, memory + done, static_cast<size_t>(bytes - done), place + done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) {
      const bool ends = moved == 0 && kReads;
      const char* const what = ends     ? "the file ends here"
                               : kReads ? "cannot be read"
                                        : kNotWritten;
      problem->note({offset + done, what, ends ? 0 : errno, mycore()});
      return false;
    }
    done += moved;
  }
  return true;
}

/// Copies the bytes `here` between the array and a file, which begins with byte `start`.
void copy_range(const FileJob& job, const std::string& path, int flags, FilePart here,
                int64_t start, Problem* problem) {
  if (here.begin >= here.end) return;
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (fd < 0) return problem->note({here.begin, "cannot be opened", errno, mycore()});
  const size_t most = static_cast<size_t>(std::min(kFilePieceBytes, here.end - here.begin));
  const std::unique_ptr<char[]> piece(new char[most]);
  const bool reads = flags == O_RDONLY;
  bool good = true;
  BulkTransfer transfer;
  for (int64_t at = here.begin; good && at < here.end; at += kFilePieceBytes) {
    const int64_t n = std::min(kFilePieceBytes, here.end - at);
    const auto place = GlobalAddress<char>::from_raw(job.array) + (at - job.offset);
    if (reads) {
      good = move_bytes(::pread, fd, piece.get(), n, at - start, at, problem);
      if (good) put(place.raw_bits(), piece.get(), static_cast<uint64_t>(n), &transfer);
    } else {
      get(piece.get(), place.raw_bits(), static_cast<uint64_t>(n), &transfer);
      transfer.wait();
      const char* const from = piece.get();
      good = move_bytes(::pwrite, fd, from, n, at - start, at, problem);
    }
  }
  transfer.wait();
  // Some file systems report a full disk only when the file is closed.
  const bool closed = ::close(fd) == 0;
  if (!reads && good && !closed) problem->note({here.begin, kNotWritten, errno, mycore()});
}

void read_share(const FileJob& job, const std::string& path, FilePart share, Problem* problem) {
  if (!job.as_directory) return copy_range(job, path, O_RDONLY, share, 0, problem);
  for (const FilePart& part : fetch(job.parts, job.part_count, job.home)) {
    const FilePart here = {std::max(part.begin, share.begin), std::min(part.end, share.end)};
    copy_range(job, part_path(path, part), O_RDONLY, here, part.begin, problem);
  }
}

void save_share(const FileJob& job, const std::string& path, FilePart share, Problem* problem) {
  if (!job.as_directory) return copy_range(job, path, O_WRONLY, share, 0, problem);
  copy_range(job, part_path(path, share), O_WRONLY | O_CREAT | O_TRUNC, share, share.begin,
             problem);
}

[[noreturn]] void fail(std::string path, const std::string& sentence) {
  const auto unprintable = [](unsigned char c) { return c < 32 || c > 126; };
  std::replace_if(path.begin(), path.end(), unprintable, '?');
  input_error(path + ": " + sentence);
}

[[noreturn]] void fail_with_errno(const std::string& path, const char* what) {
  fail(path, std::string(what) + ": " + std::strerror(errno));
}

std::string at_byte(int64_t offset) { return "byte " + std::to_string(offset) + ": "; }

void check_readable(const File& file, int64_t bytes) {
  struct stat status;
  if (::stat(file.path.c_str(), &status) != 0) fail_with_errno(file.path, "cannot be opened");
  if (S_ISDIR(status.st_mode)) fail(file.path, "is a directory, expected a file");
  if (!S_ISREG(status.st_mode)) fail(file.path, "is not a regular file, so cores cannot share it");
  if (status.st_size - file.offset >= bytes) return;
  fail(file.path, "has " + std::to_string(status.st_size) + " bytes, expected an array of " +
                      std::to_string(bytes) + " bytes from byte " + std::to_string(file.offset) +
                      " on");
}

std::vector<FilePart> parts_of(const File& file) {
  std::vector<FilePart> parts;
  if (!list_parts(file.path, &parts)) fail_with_errno(file.path, "cannot be read");
  return parts;
}

/// Truncates the file at the offset of the array. The cores then write from there.
void cut_file(const File& file) {
  const int fd = ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || ::ftruncate(fd, file.offset) != 0 || ::close(fd) != 0) {
    fail_with_errno(file.path, kNotWritten);
  }
}

void cut_parts(const File& file) {
  if (::mkdir(file.path.c_str(), 0777) != 0 && errno != EEXIST) {
    fail_with_errno(file.path, "cannot be created");
  }
  for (const FilePart& part : parts_of(file)) {
    const std::string path = part_path(file.path, part);
    if (part.end <= file.offset) continue;
    if (part.begin < file.offset) {
      fail(path, "has bytes before and after byte " + std::to_string(file.offset) +
                     ", where the array is to be saved");
    }
    if (::unlink(path.c_str()) != 0) fail_with_errno(path, "cannot be replaced");
  }
}

template <decltype(read_share)* move_share>
void run_shares(File* file, uint64_t array, int64_t bytes, const std::vector<FilePart>& parts) {
  Problem first;
  FileJob job = {array, file->offset, bytes, file->is_directory, mycore(), &first};
  job.path = file->path.data();
  job.path_length = int64_t(file->path.size());
  job.parts = parts.data();
  job.part_count = int64_t(parts.size());
  on_all_cores(unchecked([job] {
    const FilePart share = job.share();
    if (share.begin >= share.end) return;
    const std::vector<char> path = fetch(job.path, job.path_length, job.home);
    Problem problem;
    move_share(job, std::string(path.begin(), path.end()), share, &problem);
    if (problem.what == nullptr) return;
    Problem* const at_home = job.problem;
    delegate::call(job.home, unchecked([at_home, problem] { at_home->note(problem); }));
  }));
  file->offset += bytes;
  if (first.what == nullptr) return;
  const std::string core = cores() == 1 ? "" : " on core " + std::to_string(first.core);
  const std::string why = first.error == 0 ? "" : std::string(": ") + std::strerror(first.error);
  fail(file->path, at_byte(first.offset) + first.what + core + why);
}

void check_offset(const File& file) {
  GRAPPA_CHECK(file.offset >= 0) << file.path << ": an array at byte " << file.offset;
}

}  // namespace

std::string part_path(const std::string& directory, FilePart part) {
  char name[64];
  std::snprintf(name, sizeof name, "/%016lld-%016lld.part", static_cast<long long>(part.begin),
                static_cast<long long>(part.end));
  return directory + name;
}

bool parse_part_name(const std::string& name, FilePart* part) {
  long long begin = 0, end = 0;
  if (std::sscanf(name.c_str(), "%lld-%lld.part", &begin, &end) != 2) return false;
  *part = FilePart{begin, end};
  return 0 <= begin && begin < end && part_path("", *part) == "/" + name;
}

bool list_parts(const std::string& directory, std::vector<FilePart>* parts) {
  parts->clear();
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    FilePart part;
    if (parse_part_name(entry->path().filename(), &part)) parts->push_back(part);
  }
  std::sort(parts->begin(), parts->end(),
            [](const FilePart& a, const FilePart& b) { return a.begin < b.begin; });
  errno = error.value();
  return !error;
}

int64_t first_missing(const std::vector<FilePart>& parts, int64_t begin, int64_t end) {
  int64_t reached = begin;
  for (const FilePart& part : parts) {
    if (reached >= end || part.begin > reached) break;
    reached = std::max(reached, part.end);
  }
  return std::min(reached, end);
}

void read_file(File* file, uint64_t to, int64_t bytes) {
  check_offset(*file);
  std::vector<FilePart> parts;
  if (file->is_directory) {
    parts = parts_of(*file);
    const int64_t end = file->offset + bytes, missing = first_missing(parts, file->offset, end);
    if (missing < end) fail(file->path, at_byte(missing) + "is not in any part");
  } else {
    check_readable(*file, bytes);
  }
  run_shares<read_share>(file, to, bytes, parts);
}

void save_file(File* file, uint64_t from, int64_t bytes) {
  check_offset(*file);
  file->is_directory ? cut_parts(*file) : cut_file(*file);
  run_shares<save_share>(file, from, bytes, {});
}

}  // namespace Grappa::detail
