#include "system/global/remote_sync.hpp"

#include "system/base/check.hpp"

namespace Grappa {

void lock(GlobalAddress<Mutex> mutex) {
  delegate::call(mutex, [](Mutex& here) { here.lock(); });
}

bool trylock(GlobalAddress<Mutex> mutex) {
  return delegate::call(mutex, [](Mutex& here) { return here.trylock(); });
}

void unlock(GlobalAddress<Mutex> mutex) {
  delegate::call(mutex, [](Mutex& here) { here.unlock(); });
}

bool is_unlocked(GlobalAddress<Mutex> mutex) {
  return delegate::call(mutex, [](Mutex& here) { return here.is_unlocked(); });
}

void acquire(GlobalAddress<Mutex> mutex) { lock(mutex); }

void release(GlobalAddress<Mutex> mutex) { unlock(mutex); }

void wait(GlobalAddress<ConditionVariable> condition) {
  delegate::call(condition, [](ConditionVariable& here) { here.wait(); });
}

void wait(GlobalAddress<ConditionVariable> condition, GlobalAddress<Mutex> mutex) {
  GRAPPA_CHECK(condition.core() == mutex.core())
      << "wait on a condition variable of core " << condition.core() << " with a mutex of core "
      << mutex.core() << ": one core must own both objects";
  delegate::call(condition, [mutex](ConditionVariable& here) { here.wait(*mutex.pointer()); });
}

void signal(GlobalAddress<ConditionVariable> condition) {
  delegate::call(condition, [](ConditionVariable& here) { here.signal(); });
}

void broadcast(GlobalAddress<ConditionVariable> condition) {
  delegate::call(condition, [](ConditionVariable& here) { here.broadcast(); });
}

void signal_all(GlobalAddress<ConditionVariable> condition) { broadcast(condition); }

void increment(GlobalAddress<CountingSemaphore> semaphore, int64_t n) {
  delegate::call(semaphore, [n](CountingSemaphore& here) { here.increment(n); });
}

void decrement(GlobalAddress<CountingSemaphore> semaphore, int64_t n) {
  delegate::call(semaphore, [n](CountingSemaphore& here) { here.decrement(n); });
}

bool try_decrement(GlobalAddress<CountingSemaphore> semaphore, int64_t n) {
  return delegate::call(semaphore, [n](CountingSemaphore& here) { return here.try_decrement(n); });
}

int64_t get_value(GlobalAddress<CountingSemaphore> semaphore) {
  return delegate::call(semaphore, [](CountingSemaphore& here) { return here.get_value(); });
}

void enroll(GlobalAddress<CompletionEvent> event, int64_t n) {
  delegate::call(event, [n](CompletionEvent& here) { here.enroll(n); });
}

void complete(GlobalAddress<CompletionEvent> event, int64_t n) {
  if (event.core() == detail::the_running_core) {
    detail::check_access(event.core(), event.pointer());
    return event.pointer()->complete(n);
  }
  delegate::call<async>(event, [n](CompletionEvent& here) { here.complete(n); });
}

void wait(GlobalAddress<CompletionEvent> event) {
  delegate::call(event, [](CompletionEvent& here) { here.wait(); });
}

int64_t get_count(GlobalAddress<CompletionEvent> event) {
  return delegate::call(event, [](CompletionEvent& here) { return here.get_count(); });
}

void reset(GlobalAddress<CompletionEvent> event) {
  delegate::call(event, [](CompletionEvent& here) { here.reset(); });
}

}  // namespace Grappa
