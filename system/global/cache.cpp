#include "system/global/cache.hpp"

#include "system/base/bits.hpp"
#include "system/base/units.hpp"
#include "system/global/live_allocations.hpp"

#include <cstdlib>

namespace Grappa {
namespace detail {

CachedBytes::~CachedBytes() {
  block_until_released();
  if (own_memory_) std::free(memory_);
}

void CachedBytes::reset(uint64_t address, uint64_t bytes) {
  GRAPPA_CHECK(address != 0 || bytes == 0) << "a cache of the null address";
  block_until_released();
  address_ = address;
  bytes_ = bytes;
  state_ = State::Untouched;
}

/// Whether the elements are not copied.
bool CachedBytes::is_original() const {
  const auto address = GlobalAddress<char>::from_raw(address_);
  const bool has_buffer = memory_ != nullptr && !own_memory_;
  return !has_buffer && address.is_2D() && address.core() == the_running_core;
}

/// Memory for all bytes, unless there is a buffer.
void CachedBytes::take_memory() {
  const bool has_buffer = memory_ != nullptr && !own_memory_;
  if (has_buffer || bytes_ <= capacity_) return;
  std::free(memory_);
  capacity_ = align_up(bytes_, kCacheLineBytes);  // aligned as any element of a block is
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
      << "a cache is accessed that has been released: acquire it again, or reset() it";
  block_until_acquired();
}

/// True if what is in the memory is for the owners.
bool CachedBytes::has_news() const {
  if (is_original()) return false;
  switch (mode_) {
    case CacheMode::ReadOnly: return false;
    case CacheMode::WriteOnly:  // what nobody has asked for nobody can have written
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

}  // namespace detail
}  // namespace Grappa
