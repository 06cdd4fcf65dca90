#include "system/global/remote_sync.hpp"

#include "system/base/check.hpp"

namespace Grappa {

// Each function calls the member function of the same name at the owner of the object.

#define GRAPPA_AT_OWNER(Result, name, Type, object)                        \
  Result name(GlobalAddress<Type> object) {                                \
    return delegate::call(object, [](Type& here) { return here.name(); }); \
  }
GRAPPA_AT_OWNER(void, lock, Mutex, mutex)
GRAPPA_AT_OWNER(bool, trylock, Mutex, mutex)
GRAPPA_AT_OWNER(void, unlock, Mutex, mutex)
GRAPPA_AT_OWNER(bool, is_unlocked, Mutex, mutex)
GRAPPA_AT_OWNER(void, wait, ConditionVariable, condition)
GRAPPA_AT_OWNER(void, signal, ConditionVariable, condition)
GRAPPA_AT_OWNER(void, broadcast, ConditionVariable, condition)
GRAPPA_AT_OWNER(int64_t, get_value, CountingSemaphore, semaphore)
GRAPPA_AT_OWNER(void, wait, CompletionEvent, event)
GRAPPA_AT_OWNER(int64_t, get_count, CompletionEvent, event)
GRAPPA_AT_OWNER(void, reset, CompletionEvent, event)

#define GRAPPA_COUNT_AT_OWNER(Result, name, Type, object)                    \
  Result name(GlobalAddress<Type> object, int64_t n) {                       \
    return delegate::call(object, [n](Type& here) { return here.name(n); }); \
  }
GRAPPA_COUNT_AT_OWNER(void, increment, CountingSemaphore, semaphore)
GRAPPA_COUNT_AT_OWNER(void, decrement, CountingSemaphore, semaphore)
GRAPPA_COUNT_AT_OWNER(bool, try_decrement, CountingSemaphore, semaphore)
GRAPPA_COUNT_AT_OWNER(void, enroll, CompletionEvent, event)

void acquire(GlobalAddress<Mutex> mutex) { lock(mutex); }
void release(GlobalAddress<Mutex> mutex) { unlock(mutex); }
void signal_all(GlobalAddress<ConditionVariable> condition) { broadcast(condition); }

void wait(GlobalAddress<ConditionVariable> condition, GlobalAddress<Mutex> mutex) {
  GRAPPA_CHECK(condition.core() == mutex.core())
      << "wait on a condition variable of core " << condition.core() << " with a mutex of core "
      << mutex.core() << ": one core must own both objects";
  delegate::call(condition, [mutex](ConditionVariable& here) { here.wait(*mutex.pointer()); });
}

void complete(GlobalAddress<CompletionEvent> event, int64_t n) {
  if (event.core() == detail::the_running_core) {
    detail::check_access(event.core(), event.pointer());
    return event.pointer()->complete(n);
  }
  delegate::call<async>(event, [n](CompletionEvent& here) { here.complete(n); });
}

}  // namespace Grappa
