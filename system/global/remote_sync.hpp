#pragma once

/// The operations of sync/ on objects of any core, by global address.
///
/// An operation waits in the same queue as the owner's own tasks. complete() and fill_remote() are
/// async delegates (delegate.hpp), or local calls if this core is the owner. All other operations
/// are blocking delegates, which return when the operation at the owner has ended.

#include "system/global/delegate.hpp"
#include "system/sync/completion_event.hpp"
#include "system/sync/condition_variable.hpp"
#include "system/sync/full_empty.hpp"
#include "system/sync/mutex.hpp"
#include "system/sync/semaphore.hpp"

#include <cstdint>

namespace Grappa {

void lock(GlobalAddress<Mutex> mutex);
bool trylock(GlobalAddress<Mutex> mutex);
void unlock(GlobalAddress<Mutex> mutex);
bool is_unlocked(GlobalAddress<Mutex> mutex);
void acquire(GlobalAddress<Mutex> mutex);  // another name of lock
void release(GlobalAddress<Mutex> mutex);  // another name of unlock

void wait(GlobalAddress<ConditionVariable> condition);
/// One core must own both objects. The operation unlocks the mutex and starts to wait atomically.
void wait(GlobalAddress<ConditionVariable> condition, GlobalAddress<Mutex> mutex);
void signal(GlobalAddress<ConditionVariable> condition);
void broadcast(GlobalAddress<ConditionVariable> condition);
void signal_all(GlobalAddress<ConditionVariable> condition);

void increment(GlobalAddress<CountingSemaphore> semaphore, int64_t n = 1);
void decrement(GlobalAddress<CountingSemaphore> semaphore, int64_t n = 1);
bool try_decrement(GlobalAddress<CountingSemaphore> semaphore, int64_t n = 1);
int64_t get_value(GlobalAddress<CountingSemaphore> semaphore);

/// enroll() is blocking. After it has returned, any core may complete the enrolled work.
void enroll(GlobalAddress<CompletionEvent> event, int64_t n = 1);
void complete(GlobalAddress<CompletionEvent> event, int64_t n = 1);  // async
void wait(GlobalAddress<CompletionEvent> event);
int64_t get_count(GlobalAddress<CompletionEvent> event);
void reset(GlobalAddress<CompletionEvent> event);

#define GRAPPA_CELL_AT_OWNER(Result, name)                                       \
  template <class T>                                                             \
  Result name(GlobalAddress<FullEmpty<T>> cell) {                                \
    return delegate::call(cell, [](FullEmpty<T>& here) { return here.name(); }); \
  }
GRAPPA_CELL_AT_OWNER(T, readFF)
GRAPPA_CELL_AT_OWNER(T, readFE)
GRAPPA_CELL_AT_OWNER(T, readXX)
GRAPPA_CELL_AT_OWNER(bool, full)
GRAPPA_CELL_AT_OWNER(bool, empty)
GRAPPA_CELL_AT_OWNER(void, reset)
#undef GRAPPA_CELL_AT_OWNER

#define GRAPPA_WRITE_AT_OWNER(name)                                                             \
  template <class T, class U>                                                                   \
  void name(GlobalAddress<FullEmpty<T>> cell, U value) {                                        \
    const T converted = static_cast<T>(value);                                                  \
    delegate::call(cell, unchecked([converted](FullEmpty<T>& here) { here.name(converted); })); \
  }
GRAPPA_WRITE_AT_OWNER(writeEF)
GRAPPA_WRITE_AT_OWNER(writeFF)
GRAPPA_WRITE_AT_OWNER(writeXF)
#undef GRAPPA_WRITE_AT_OWNER

/// The async form of writeXF.
template <class T, class U>
void fill_remote(GlobalAddress<FullEmpty<T>> cell, U value) {
  const T converted = static_cast<T>(value);
  if (cell.core() == detail::the_running_core) {
    detail::check_access(cell.core(), cell.pointer());
    return cell.pointer()->writeXF(converted);
  }
  delegate::call<async>(cell,
                        unchecked([converted](FullEmpty<T>& here) { here.writeXF(converted); }));
}

}  // namespace Grappa
