#include "bench/raw_files.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <omp.h>

namespace raw {
namespace {

[[noreturn]] void fail(const std::string& path) {
  std::perror(path.c_str());
  std::exit(1);
}

class File {
 public:
  explicit File(const std::string& path) : path_(path), fd_(::open(path.c_str(), O_RDONLY)) {
    if (fd_ < 0) fail(path_);
  }
  ~File() { ::close(fd_); }
  File(const File&) = delete;

  int64_t bytes() const {
    struct stat status;
    if (::fstat(fd_, &status) != 0) fail(path_);
    return status.st_size;
  }

  void read(void* to, int64_t bytes, int64_t at) const {
    for (int64_t done = 0; done < bytes;) {
      const ssize_t got =
          ::pread(fd_, static_cast<char*>(to) + done, size_t(bytes - done), at + done);
      if (got <= 0) fail(path_);
      done += got;
    }
  }

  // Each thread reads an equal part.
  void read_parallel(void* to, int64_t bytes, int64_t at, int threads) const {
    constexpr int64_t kPiece = int64_t(1) << 20;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t begin = 0; begin < bytes; begin += kPiece) {
      read(static_cast<char*>(to) + begin, std::min(kPiece, bytes - begin), at + begin);
    }
  }

 private:
  const std::string path_;
  const int fd_;
};

int64_t parse_number(const char** next) {
  int64_t number = 0;
  const char* at = *next;
  while (*at < '0') ++at;
  for (; *at >= '0'; ++at) number = 10 * number + (*at - '0');
  *next = at;
  return number;
}

}  // namespace

std::unique_ptr<Csr> read_serialized(const std::string& path, int threads) {
  const File file(path);
  constexpr int64_t kHeaderBytes = 17;
  int64_t sizes[2];  // entries, vertices
  file.read(sizes, sizeof sizes, 1);
  Array<int64_t> begin(sizes[1] + 1);
  Array<Vertex> neighbours(sizes[0]);
  const int64_t offset_bytes = begin.size() * int64_t(sizeof(int64_t));
  file.read_parallel(begin.data(), offset_bytes, kHeaderBytes, threads);
  file.read_parallel(neighbours.data(), neighbours.size() * int64_t(sizeof(Vertex)),
                     kHeaderBytes + offset_bytes, threads);
  return std::unique_ptr<Csr>(new Csr(std::move(begin), std::move(neighbours)));
}

Edges read_edge_list(const std::string& path, int threads) {
  const File file(path);
  const int64_t bytes = file.bytes();
  Array<char> text(bytes + 1);  // the last byte is 0, which is below '0'
  file.read_parallel(text.data(), bytes, 0, threads);
  // A part begins after a newline.
  const auto begin_of = [&](int64_t part) {
    int64_t at = bytes / threads * part;
    while (at > 0 && at < bytes && text[at - 1] != '\n') ++at;
    return part == threads ? bytes : at;
  };
  std::vector<int64_t> lines(static_cast<size_t>(threads) + 1);
  int64_t largest = 0;
  Edges edges;
#pragma omp parallel num_threads(threads) reduction(max : largest)
  {
    const int part = omp_get_thread_num();
    const char* const first = text.data() + begin_of(part);
    const char* const last = text.data() + begin_of(part + 1);
    lines[size_t(part) + 1] = std::count(first, last, '\n');
#pragma omp barrier
#pragma omp single
    {
      for (size_t k = 1; k < lines.size(); ++k) lines[k] += lines[k - 1];
      edges.all = Array<Grappa::TupleEdge>(lines.back());
    }
    const char* next = first;
    for (int64_t i = lines[size_t(part)]; i < lines[size_t(part) + 1]; ++i) {
      const int64_t v0 = parse_number(&next), v1 = parse_number(&next);
      edges.all[i] = Grappa::TupleEdge{v0, v1};
      largest = std::max(largest, std::max(v0, v1));
    }
  }
  edges.nv = largest + 1;
  return edges;
}

}  // namespace raw
