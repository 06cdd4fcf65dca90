#include "structures/graph/file/csr_writer.hpp"

#include "structures/graph/file/open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <numeric>

namespace Grappa {
namespace detail {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;

}  // namespace

template <class Id>
CsrWriter<Id>::CsrWriter(int fd, int64_t at, const std::vector<uint32_t>& lengths,
                         EntryBuckets<Id>* entries)
    : fd_(fd), at_(at), lengths_(lengths.data()), entries_(entries) {
  bytes_.reserve(kPieceBytes + sizeof(uint32_t) * kCsrBlockVertices);
}

template <class Id>
void CsrWriter<Id>::begin(int64_t count) {
  rows_.push_back(CsrRow{static_cast<uint64_t>(at_ + int64_t(bytes_.size())), 0});
  checksum_.reset();
  if (error_ == 0) put(lengths_, static_cast<size_t>(count) * sizeof *lengths_);
  left_ = std::accumulate(lengths_, lengths_ + count, int64_t{0});
  lengths_ += count;
}

template <class Id>
bool CsrWriter<Id>::write_some() {
  if (error_ != 0) return false;
  for (; left_ > 0 && bytes_.size() < kPieceBytes; --left_) {
    const Id id = next_id();
    put(&id, sizeof id);
  }
  if (bytes_.size() >= kPieceBytes) flush();
  if (left_ > 0) return true;
  sum_up();
  rows_.back().checksum = checksum_.value();
  return false;
}

template <class Id>
bool CsrWriter<Id>::finish(int64_t table) {
  flush();
  if (error_ == 0 && !write_fully(fd_, reinterpret_cast<const char*>(rows_.data()),
                                  int64_t(rows_.size()) * kCsrRowBytes, table)) {
    error_ = errno;
  }
  errno = error_;
  return error_ == 0;
}

template <class Id>
void CsrWriter<Id>::put(const void* bytes, size_t size) {
  const char* const from = static_cast<const char*>(bytes);
  bytes_.insert(bytes_.end(), from, from + size);
}

template <class Id>
void CsrWriter<Id>::sum_up() {
  checksum_.add(bytes_.data() + summed_, bytes_.size() - summed_);
  summed_ = bytes_.size();
}

template <class Id>
void CsrWriter<Id>::flush() {
  sum_up();
  summed_ = 0;
  if (!write_fully(fd_, bytes_.data(), int64_t(bytes_.size()), at_)) error_ = errno;
  at_ += int64_t(bytes_.size());
  bytes_.clear();
}

template <class Id>
Id CsrWriter<Id>::next_id() {
  while (used_ == sorted_->size()) {
    sorted_ = &entries_->take_sorted(bucket_++);
    used_ = 0;
  }
  return (*sorted_)[used_++].neighbour;
}

template class CsrWriter<uint32_t>;
template class CsrWriter<uint64_t>;

}  // namespace detail
}  // namespace Grappa
