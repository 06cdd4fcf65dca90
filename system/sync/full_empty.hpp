#pragma once

/// A value with a full/empty bit, which tasks of one core hand to each other.
///
/// The operations are those of the Tera MTA, whose memory had such a bit on every word ("The Tera
/// Computer System", International Conference on Supercomputing, 1990). Of the two letters the
/// first names the state that an operation waits for and the second the one that it leaves: F is
/// full, E empty, X whatever it is.
///
/// Order: an operation takes effect at once if the state is the one it waits for, and otherwise
/// goes to the end of one line. When the state changes, those in front of the line take effect one
/// after the other, for as long as the state is the one that the first of them waits for. So one
/// write serves every readFF up to the first readFE, which takes the value. All this happens within
/// the operation that changes the state, before any woken task runs: nobody gets in between.
///
/// Other cores come through global/remote_sync.hpp. Invariant: all in the line wait for the same
/// state, the one that it is not.

#include "system/tasking/waiter_queue.hpp"

#include <new>
#include <type_traits>
#include <utility>

namespace Grappa {

/// T is any type that can be copied and assigned.
template <class T>
class FullEmpty {
 public:
  /// Empty. Like a word of memory it has a value all the same: readXX sees T().
  FullEmpty() : value_() {
    static_assert(std::is_default_constructible<T>::value,
                  "a FullEmpty holds a value also while it is empty, and this type has no default: "
                  "construct it with one and call reset()");
  }

  /// Full.
  explicit FullEmpty(T value) : full_(true), value_(std::move(value)) {}

  /// Waits until full, reads. From: task or handler. Suspends: while empty.
  T readFF() { return full_ ? value_ : wait_to_read(Operation::ReadFF); }

  /// Waits until full, reads, leaves it empty. From: task or handler. Suspends: while empty.
  T readFE();

  /// Reads what was written last, full or empty.
  T readXX() const { return value_; }

  /// Waits until empty, writes, leaves it full. From: task or handler. Suspends: while full.
  void writeEF(T value);

  /// Waits until full, replaces the value. From: task or handler. Suspends: while empty.
  void writeFF(T value);

  /// Writes and leaves it full, whatever it was.
  void writeXF(T value);

  /// Leaves it empty, whatever it was; the value stays for readXX. If a writeEF waits, that one
  /// then fills it.
  void reset() {
    if (full_) become_empty();
  }

  bool full() const { return full_; }
  bool empty() const { return !full_; }

 private:
  static_assert(std::is_copy_constructible<T>::value && std::is_copy_assignable<T>::value,
                "a FullEmpty hands out copies of its value, so the type must be copyable");

  enum class Operation { ReadFF, ReadFE, WriteEF, WriteFF };

  struct Waiter : detail::Waiter {
    Operation operation;
    T* value;  // readers: room for one, to be constructed; writers: the one to write
  };

  T wait_to_read(Operation operation);
  void wait_to_write(Operation operation, T* value);
  void become_full();
  void become_empty();

  // Aligned so that a FullEmpty of a word has 32 bytes, and arrays of them fit the global heap.
  alignas(16) detail::WaiterQueue<Waiter> waiters_;
  bool full_ = false;
  T value_;
};

template <class T>
T FullEmpty<T>::readFE() {
  if (!full_) return wait_to_read(Operation::ReadFE);
  T value(value_);
  become_empty();
  return value;
}

template <class T>
void FullEmpty<T>::writeEF(T value) {
  if (full_) return wait_to_write(Operation::WriteEF, &value);
  value_ = std::move(value);
  become_full();
}

template <class T>
void FullEmpty<T>::writeFF(T value) {
  if (!full_) return wait_to_write(Operation::WriteFF, &value);
  value_ = std::move(value);
}

template <class T>
void FullEmpty<T>::writeXF(T value) {
  value_ = std::move(value);
  if (!full_) become_full();
}

template <class T>
T FullEmpty<T>::wait_to_read(Operation operation) {
  alignas(T) unsigned char room[sizeof(T)];
  Waiter self;
  self.operation = operation;
  self.value = reinterpret_cast<T*>(room);
  waiters_.suspend(&self, detail::WaitReason(detail::WaitReason::Kind::Full, this));
  T value(std::move(*self.value));
  self.value->~T();
  return value;
}

template <class T>
void FullEmpty<T>::wait_to_write(Operation operation, T* value) {
  Waiter self;
  self.operation = operation;
  self.value = value;
  const bool for_empty = operation == Operation::WriteEF;
  waiters_.suspend(&self, detail::WaitReason(for_empty ? detail::WaitReason::Kind::Empty
                                                       : detail::WaitReason::Kind::Full,
                                             this));
}

/// Serves those who wait for full, until a readFE leaves it empty.
template <class T>
void FullEmpty<T>::become_full() {
  full_ = true;
  while (full_ && !waiters_.empty()) {
    Waiter& waiter = waiters_.front();
    if (waiter.operation == Operation::WriteFF) {
      value_ = std::move(*waiter.value);
    } else {
      new (waiter.value) T(value_);
      full_ = waiter.operation == Operation::ReadFF;
    }
    waiters_.wake_front();
  }
}

/// Serves the first who waits for empty, a writeEF, which leaves it full.
template <class T>
void FullEmpty<T>::become_empty() {
  full_ = !waiters_.empty();
  if (!full_) return;
  value_ = std::move(*waiters_.front().value);
  waiters_.wake_front();
}

template <class T>
T readFF(FullEmpty<T>& cell) {
  return cell.readFF();
}
template <class T>
T readFF(FullEmpty<T>* cell) {
  return cell->readFF();
}
template <class T>
T readFE(FullEmpty<T>& cell) {
  return cell.readFE();
}
template <class T>
T readFE(FullEmpty<T>* cell) {
  return cell->readFE();
}
template <class T>
T readXX(const FullEmpty<T>& cell) {
  return cell.readXX();
}
template <class T>
T readXX(const FullEmpty<T>* cell) {
  return cell->readXX();
}
template <class T, class U>
void writeEF(FullEmpty<T>& cell, U&& value) {
  cell.writeEF(std::forward<U>(value));
}
template <class T, class U>
void writeEF(FullEmpty<T>* cell, U&& value) {
  cell->writeEF(std::forward<U>(value));
}
template <class T, class U>
void writeFF(FullEmpty<T>& cell, U&& value) {
  cell.writeFF(std::forward<U>(value));
}
template <class T, class U>
void writeFF(FullEmpty<T>* cell, U&& value) {
  cell->writeFF(std::forward<U>(value));
}
template <class T, class U>
void writeXF(FullEmpty<T>& cell, U&& value) {
  cell.writeXF(std::forward<U>(value));
}
template <class T, class U>
void writeXF(FullEmpty<T>* cell, U&& value) {
  cell->writeXF(std::forward<U>(value));
}
template <class T>
bool full(const FullEmpty<T>& cell) {
  return cell.full();
}
template <class T>
bool full(const FullEmpty<T>* cell) {
  return cell->full();
}
template <class T>
bool empty(const FullEmpty<T>& cell) {
  return cell.empty();
}
template <class T>
bool empty(const FullEmpty<T>* cell) {
  return cell->empty();
}
template <class T>
void reset(FullEmpty<T>& cell) {
  cell.reset();
}
template <class T>
void reset(FullEmpty<T>* cell) {
  cell->reset();
}

}  // namespace Grappa
