#include "system/global/cache.hpp"

#include "system/base/bits.hpp"
#include "system/base/units.hpp"
#include "system/global/live_allocations.hpp"

#include <cstdlib>

namespace Grappa::detail {

CachedBytes::~CachedBytes() {
  block_until_released();
  if (own_memory_) std::free(memory_);
}

void CachedBytes::reset(uint64_t address, uint64_t bytes) {
  GRAPPA_CHECK(address != 0 || bytes == 0) << "the address of a cache is null";
  block_until_released();
  address_ = address;
  bytes_ = bytes;
  state_ = State::Untouched;
}

/// True if the cache accesses the original elements and makes no copy.
bool CachedBytes::is_original() const {
  const auto address = GlobalAddress<char>::from_raw(address_);
  const bool has_buffer = memory_ != nullptr && !own_memory_;
  return !has_buffer && address.is_2D() && address.core() == the_running_core;
}

/// Allocates memory for all elements, unless the caller has provided a buffer.
void CachedBytes::take_memory() {
  const bool has_buffer = memory_ != nullptr && !own_memory_;
  if (has_buffer || bytes_ <= capacity_) return;
  std::free(memory_);
  capacity_ = align_up(bytes_, kCacheLineBytes);  // elements are aligned to at most a cache line
  memory_ = static_cast<char*>(std::aligned_alloc(kCacheLineBytes, capacity_));
  GRAPPA_CHECK(memory_ != nullptr) << "out of memory for a cache of " << bytes_ << " bytes";
  own_memory_ = true;
}

void CachedBytes::start_acquire() {
  if (state_ == State::Acquiring || state_ == State::Acquired) return;
  if (state_ == State::Releasing) block_until_released();
  check_allocated(address_, bytes_, "a cache");
  if (is_original()) {
    elements_ = GlobalAddress<char>::from_raw(address_).pointer();
    state_ = State::Acquired;
    return;
  }
  take_memory();
  elements_ = memory_;
  if (mode_ == CacheMode::WriteOnly) {
    state_ = State::Acquired;
    return;
  }
  state_ = State::Acquiring;
  get(memory_, address_, bytes_, &transfer_);
}

void CachedBytes::block_until_acquired() {
  start_acquire();
  transfer_.wait();
  if (state_ == State::Acquiring) state_ = State::Acquired;
}

void CachedBytes::acquire_for_access() {
  GRAPPA_CHECK(state_ == State::Untouched || state_ == State::Acquiring)
      << "access to a released cache: call start_acquire() or reset() before";
  block_until_acquired();
}

/// True if the elements in memory_ must be written back to the owners.
bool CachedBytes::has_news() const {
  if (is_original()) return false;
  switch (mode_) {
    case CacheMode::ReadOnly: return false;
    case CacheMode::WriteOnly:  // only the caller's buffer can be written before an acquire
      return state_ == State::Acquired || (memory_ != nullptr && !own_memory_);
    case CacheMode::ReadWrite: return state_ == State::Acquired;
  }
  return false;
}

void CachedBytes::start_release() {
  if (state_ == State::Releasing || state_ == State::Released) return;
  if (state_ == State::Acquiring) block_until_acquired();
  const bool news = has_news();
  state_ = State::Releasing;
  if (news) put(address_, memory_, bytes_, &transfer_);
}

void CachedBytes::block_until_released() {
  if (state_ == State::Untouched && !has_news()) return;
  start_release();
  transfer_.wait();
  state_ = State::Released;
}

}  // namespace Grappa::detail
