#include "system/global/cache.hpp"

#include "system/base/units.hpp"

namespace Grappa::detail {

void CachedBytes::reset(GlobalAddress<char> address, uint64_t bytes) {
  GRAPPA_CHECK(address || bytes == 0) << "the address of a cache is null";
  block_until_released();
  address_ = address;
  bytes_ = bytes;
  state_ = State::Untouched;
}

/// True if the cache accesses the original elements and makes no copy.
bool CachedBytes::is_original() const {
  return buffer_ == nullptr && address_.is_2D() && address_.core() == the_running_core;
}

void CachedBytes::start_acquire() {
  if (state_ == State::Acquiring || state_ == State::Acquired) return;
  if (state_ == State::Releasing) block_until_released();
  check_allocated(address_.raw_bits(), bytes_, "a cache");
  state_ = State::Acquired;
  if (is_original()) {
    elements_ = address_.pointer();
    return;
  }
  if (buffer_ == nullptr && bytes_ > capacity_) {
    // The alignment of elements is at most a cache line.
    own_memory_.reset();  // first, so that the memory of both ranges is never needed at once
    own_memory_.reset(static_cast<char*>(allocate_own_bytes(bytes_, 1, kCacheLineBytes)));
    capacity_ = bytes_;
  }
  elements_ = memory();
  if (mode_ == CacheMode::WriteOnly) return;
  state_ = State::Acquiring;
  get(elements_, address_.raw_bits(), bytes_, &transfer_);
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

/// True if memory() must be written to the owners. Before an acquire, only a buffer of the caller
/// can have new values.
bool CachedBytes::has_news() const {
  if (mode_ == CacheMode::ReadOnly || is_original()) return false;
  return state_ == State::Acquired || (mode_ == CacheMode::WriteOnly && buffer_ != nullptr);
}

void CachedBytes::start_release() {
  if (state_ == State::Releasing || state_ == State::Released) return;
  if (state_ == State::Acquiring) block_until_acquired();
  const bool news = has_news();
  state_ = State::Releasing;
  if (news) put(address_.raw_bits(), memory(), bytes_, &transfer_);
}

void CachedBytes::block_until_released() {
  if (state_ == State::Untouched && !has_news()) return;
  start_release();
  transfer_.wait();
  state_ = State::Released;
}

}  // namespace Grappa::detail
