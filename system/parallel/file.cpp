#include "system/parallel/file.hpp"

#include "system/base/input_error.hpp"
#include "system/base/units.hpp"
#include "system/global/bulk_transfer.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/file_parts.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

/// Bytes that a core reads or writes at a time. File systems with many disks need a few requests of
/// this size at the same time, and each core has one.
constexpr int64_t kFilePieceBytes = 4 * MiB;

/// Ranges of cores end at multiples of this size: two cores never share a page of a file.
constexpr int64_t kPageBytes = 4 * KiB;

/// The first error, in the order of the bytes.
struct Problem {
  int64_t offset = INT64_MAX;  // in the file, or in the concatenated parts
  const char* what = nullptr;  // a literal, which has the same address on all cores
  int error = 0;               // errno, or 0
  Core core = 0;

  bool found() const { return offset != INT64_MAX; }
};

/// The data that all cores need; sent by value. The pointers are valid on core `home`.
struct FileJob {
  uint64_t array;
  int64_t offset;  // of the array in the file
  int64_t bytes;
  const char* path;
  int64_t path_length;
  const FilePart* parts;  // to read from; null for a single file
  int64_t part_count;
  bool as_directory;
  Core home;
  Problem* problem;

  /// The bytes of the array that a core reads or writes.
  FilePart share(Core core) const {
    const auto bound = [this](int64_t k) {
      return k == cores() ? bytes : bytes / kPageBytes * k / cores() * kPageBytes;
    };
    return FilePart{bound(core), bound(core + 1)};
  }
};

/// An open file of this core. Records errors with their position.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, int64_t offset, Problem* problem)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)), problem_(problem) {
    if (fd_ < 0) note(offset, "cannot be opened", errno);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool open() const { return fd_ >= 0; }

  /// Reads `bytes` bytes from `place` in the file. Errors report positions from `offset` on.
  bool read(char* to, int64_t bytes, int64_t place, int64_t offset) const {
    return transfer(::pread, to, bytes, place, offset, "cannot be read");
  }

  bool write(const char* from, int64_t bytes, int64_t place, int64_t offset) const {
    return transfer(::pwrite, from, bytes, place, offset, "cannot be written");
  }

  /// Some file systems report only when a file is closed that the disk is full.
  void close(int64_t offset) {
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0) note(offset, "cannot be written", errno);
  }

 private:
  void note(int64_t offset, const char* what, int error) const {
    if (offset < problem_->offset) *problem_ = Problem{offset, what, error, mycore()};
  }

  template <class Call, class Byte>
  bool transfer(Call call, Byte* memory, int64_t bytes, int64_t place, int64_t offset,
                const char* what) const {
    for (int64_t done = 0; done < bytes;) {
      const ssize_t moved =
          call(fd_, memory + done, static_cast<size_t>(bytes - done), place + done);
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) {
        const bool ends = moved == 0 && !std::is_const<Byte>::value;
        note(offset + done, ends ? "the file ends here" : what, ends ? 0 : errno);
        return false;
      }
      done += moved;
    }
    return true;
  }

  int fd_;
  Problem* const problem_;
};

template <class T>
std::vector<T> fetch(const T* from, int64_t n, Core home) {
  std::vector<T> copy(static_cast<size_t>(n));
  memcpy(copy.data(), make_global(from, home), n);
  return copy;
}

std::string fetch_path(const FileJob& job) {
  const std::vector<char> path = fetch(job.path, job.path_length, job.home);
  return std::string(path.begin(), path.end());
}

std::unique_ptr<char[]> new_piece(FilePart share) {
  return std::unique_ptr<char[]>(
      new char[static_cast<size_t>(std::min(kFilePieceBytes, share.end - share.begin))]);
}

/// Reads this core's share of a file that holds the bytes [part.begin, part.end).
void read_one(const FileJob& job, const std::string& path, FilePart part, char* piece,
              Problem* problem) {
  const FilePart share = job.share(mycore());
  const int64_t begin = std::max(part.begin, job.offset + share.begin);
  const int64_t end = std::min(part.end, job.offset + share.end);
  if (begin >= end) return;
  const Descriptor file(path, O_RDONLY, begin, problem);
  if (!file.open()) return;
  BulkTransfer transfer;
  for (int64_t at = begin; at < end; at += kFilePieceBytes) {
    const int64_t bytes = std::min(kFilePieceBytes, end - at);
    if (!file.read(piece, bytes, at - part.begin, at)) break;
    const auto place = GlobalAddress<char>::from_raw(job.array) + (at - job.offset);
    put(place.raw_bits(), piece, static_cast<uint64_t>(bytes), &transfer);
  }
  transfer.wait();
}

void read_share(const FileJob& job, Problem* problem) {
  const FilePart share = job.share(mycore());
  if (share.begin >= share.end) return;
  const std::string path = fetch_path(job);
  const std::unique_ptr<char[]> piece = new_piece(share);
  std::vector<FilePart> parts = {{0, INT64_MAX}};
  if (job.as_directory) parts = fetch(job.parts, job.part_count, job.home);
  for (const FilePart& part : parts) {
    const std::string name = job.as_directory ? part_path(path, part) : path;
    read_one(job, name, part, piece.get(), problem);
  }
}

void save_share(const FileJob& job, Problem* problem) {
  const FilePart share = job.share(mycore());
  if (share.begin >= share.end) return;
  const FilePart here = {job.offset + share.begin, job.offset + share.end};
  std::string path = fetch_path(job);
  if (job.as_directory) path = part_path(path, here);
  Descriptor file(path, job.as_directory ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY, here.begin,
                  problem);
  if (!file.open()) return;
  const std::unique_ptr<char[]> piece = new_piece(share);
  for (int64_t at = here.begin; at < here.end; at += kFilePieceBytes) {
    const int64_t bytes = std::min(kFilePieceBytes, here.end - at);
    const auto place = GlobalAddress<char>::from_raw(job.array) + (at - job.offset);
    BulkTransfer transfer;
    get(piece.get(), place.raw_bits(), static_cast<uint64_t>(bytes), &transfer);
    transfer.wait();
    if (!file.write(piece.get(), bytes, job.as_directory ? at - here.begin : at, at)) return;
  }
  file.close(here.begin);
}

/// Runs a share on every core. Stores the first problem in `*job.problem` on core `home`.
template <void (*Share)(const FileJob&, Problem*)>
void run_shares(const FileJob& job) {
  const auto share = [job] {
    Problem problem;
    Share(job, &problem);
    if (!problem.found()) return;
    Problem* const first = job.problem;
    const auto keep_first = [first, problem] {
      if (problem.offset < first->offset) *first = problem;
    };
    delegate::call(job.home, unchecked(keep_first));
  };
  on_all_cores(unchecked(share));
}

std::string printable(std::string path) {
  std::replace_if(
      path.begin(), path.end(), [](unsigned char c) { return c < 32 || c > 126; }, '?');
  return path;
}

[[noreturn]] void fail(const std::string& path, const std::string& sentence) {
  input_error(printable(path) + ": " + sentence);
}

std::string reason() { return std::strerror(errno); }

std::string at_byte(int64_t offset) { return "byte " + std::to_string(offset) + ": "; }

void fail_if_found(const File& file, const Problem& problem) {
  if (!problem.found()) return;
  const std::string core = cores() == 1 ? "" : " on core " + std::to_string(problem.core);
  const std::string why =
      problem.error == 0 ? "" : std::string(": ") + std::strerror(problem.error);
  fail(file.path, at_byte(problem.offset) + problem.what + core + why);
}

/// Makes the checks that need not read the file.
void check_readable(const File& file, int64_t bytes) {
  struct stat status;
  if (::stat(file.path.c_str(), &status) != 0) fail(file.path, "cannot be opened: " + reason());
  if (S_ISDIR(status.st_mode)) fail(file.path, "is a directory, expected a file");
  if (!S_ISREG(status.st_mode)) fail(file.path, "is not a regular file, so cores cannot share it");
  if (status.st_size - file.offset >= bytes) return;
  fail(file.path, "has " + std::to_string(status.st_size) + " bytes, expected an array of " +
                      std::to_string(bytes) + " bytes from byte " + std::to_string(file.offset) +
                      " on");
}

std::vector<FilePart> parts_of(const File& file) {
  std::vector<FilePart> parts;
  if (!list_parts(file.path, &parts)) fail(file.path, "cannot be read: " + reason());
  return parts;
}

/// Truncates the file at the offset, where all cores begin to write.
void cut_file(const File& file) {
  const int fd = ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) fail(file.path, "cannot be written: " + reason());
  if (::ftruncate(fd, file.offset) != 0 || ::close(fd) != 0) {
    fail(file.path, "cannot be written: " + reason());
  }
}

/// Like cut_file, for parts.
void cut_parts(const File& file) {
  if (::mkdir(file.path.c_str(), 0777) != 0 && errno != EEXIST) {
    fail(file.path, "cannot be created: " + reason());
  }
  for (const FilePart& part : parts_of(file)) {
    const std::string path = part_path(file.path, part);
    if (part.end <= file.offset) continue;
    if (part.begin < file.offset) {
      fail(path, "has bytes before and after byte " + std::to_string(file.offset) +
                     ", where the array is to be saved");
    }
    if (::unlink(path.c_str()) != 0) fail(path, "cannot be replaced: " + reason());
  }
}

FileJob job_of(const File& file, uint64_t array, int64_t bytes, Problem* problem) {
  GRAPPA_CHECK(file.offset >= 0) << file.path << ": an array at byte " << file.offset;
  return FileJob{array,
                 file.offset,
                 bytes,
                 file.path.data(),
                 static_cast<int64_t>(file.path.size()),
                 nullptr,
                 0,
                 file.is_directory,
                 mycore(),
                 problem};
}

}  // namespace

void read_file(File* file, uint64_t to, int64_t bytes) {
  Problem problem;
  FileJob job = job_of(*file, to, bytes, &problem);
  std::vector<FilePart> parts;
  if (file->is_directory) {
    parts = parts_of(*file);
    const int64_t missing = first_missing(parts, file->offset, file->offset + bytes);
    if (missing < file->offset + bytes) fail(file->path, at_byte(missing) + "is not in any part");
    job.parts = parts.data();
    job.part_count = static_cast<int64_t>(parts.size());
  } else {
    check_readable(*file, bytes);
  }
  run_shares<read_share>(job);
  fail_if_found(*file, problem);
  file->offset += bytes;
}

void save_file(File* file, uint64_t from, int64_t bytes) {
  if (file->is_directory) {
    cut_parts(*file);
  } else {
    cut_file(*file);
  }
  Problem problem;
  run_shares<save_share>(job_of(*file, from, bytes, &problem));
  fail_if_found(*file, problem);
  file->offset += bytes;
}

}  // namespace Grappa::detail
