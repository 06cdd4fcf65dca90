#pragma once

/// Async operations on words of the calling core: executed at once, or sent through a buffer.
///
/// The executor of a buffer prefetches the words of later messages, so sending is faster if the
/// words are in memory. If the words are in a cache, executing at once is faster. If the owners of
/// the words alternate, sending is faster in both cases, because a branch on the owner would be
/// mispredicted. The core therefore executes at once while two conditions hold: accesses are fast,
/// and nearly all operations are on own words. Both are estimated, so the common path counts
/// nothing: while operations are sent, from the space that runs take; while they are executed at
/// once, from one in kOperationsPerSample, selected by the address of the word.
///
/// Invariants: The order of operations is that of sent ones, because no operation is executed at
/// once while a message of this core to itself waits (OwnMessages). A handler sends its operations,
/// so they take effect after the handler. In a simulation, all operations are sent, because the
/// virtual clock has no caches.

#include "system/base/units.hpp"
#include "system/global/local_access.hpp"
#include "system/message/append.hpp"
#include "system/message/own_messages.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

class OwnWords {
 public:
  /// True if operations on words of `owner` are executed at once, in tasks of this core.
  static bool at_once(int64_t owner) { return owner == the_at_once_core; }

  /// True if the operation on `word` is one of those that sample() must see.
  bool is_sampled(const void* word) const {
    constexpr uint64_t kHash = 0x9e3779b97f4a7c15;  // also mixes words at a constant distance
    return (reinterpret_cast<uintptr_t>(word) * kHash) >> kHashShift == sampled_;
  }

  /// Samples an operation on `word`, whose message has `bytes` bytes.
  void sample(const void* word, size_t bytes);

  /// Called before messages of `type` for `word` of `owner` take more space. Returns true if the
  /// operation is to be executed at once. Suspends: in a task, if a message to this core waits that
  /// prevents such operations, and a poll is due.
  bool executes_at_once(int64_t owner, const void* word, const MessageType& type);

  /// The parts of the two functions above.
  void add_sample(uint64_t ns) { access_.add_sample(ns); }
  void add_own(size_t bytes) { own_bytes_ += bytes; }
  void add_other(size_t bytes);
  bool choose();  // true: at once

 private:
  static constexpr int kHashShift = 53;
  static constexpr size_t kOperationsPerSample = size_t{1} << (64 - kHashShift);

  /// While operations are sent, the word of one in this many chunks is timed. To time an access
  /// takes as long as sending some 30 operations.
  static constexpr int kChunksPerSample = 4;

  /// The choice is based on messages of about this size. Not measured.
  static constexpr size_t kWindowBytes = 128 * KiB;

  /// Operations are executed at once if at least this many are on own words for each other one. A
  /// mispredicted branch takes as long as sending an operation. Not measured between 1 and 9.
  static constexpr size_t kOwnPerOther = 6;

  LocalAccess access_;
  bool chosen_ = false;                     // at once
  uint64_t sampled_ = 0;                    // operations on words with this hash are sampled
  size_t own_bytes_ = 0, other_bytes_ = 0;  // of recent messages, sent or avoided
  int chunks_until_sample_ = 1;
};

extern OwnWords the_own_words;

}}  // namespace Grappa::detail
