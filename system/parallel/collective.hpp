#pragma once

/// Operations that every core takes part in with one value.
///
/// One task of each core calls, all in the same order, as in MPI; typically inside on_all_cores.
/// Callers suspend; nothing spins. allreduce combines in the order of the cores, so that its result
/// is the same on every core and in every run.

#include "system/base/traits.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

namespace Grappa {

template <class T>
T collective_add(const T& a, const T& b) {
  return a + b;
}
template <class T>
T collective_max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
T collective_min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
T collective_and(const T& a, const T& b) {
  return a && b;
}
template <class T>
T collective_or(const T& a, const T& b) {
  return a || b;
}

namespace detail {

constexpr Core kCollectiveRoot = 0;

/// A collective as the core sees it that waits for it.
struct CollectiveCall {
  void* result;
  Worker* worker;
};

struct CollectiveState {
  CollectiveCall* waiting = nullptr;  // at most one on a core
  uint64_t calls = 0;                 // collectives this core has called
  struct Gathering {
    int arrived = 0;
    std::vector<char> values;  // by core
  };
  std::map<uint64_t, Gathering> gatherings;  // on the root, by number of the call
};

CollectiveState& collective_state();

/// Puts a contribution to call `number` in its place; returns all once they are complete, else
/// null.
std::vector<char>* gather_contribution(uint64_t number, Core from, const void* value, size_t bytes);
void end_gathering(uint64_t number);

/// Waits for the result of the call that this task has just contributed to.
void await_collective(CollectiveCall* call);

template <class T, T (*op)(const T&, const T&)>
struct Contribution {
  uint64_t number;
  Core from;
  T value;

  void operator()() {
    std::vector<char>* values = gather_contribution(number, from, &value, sizeof(T));
    if (values == nullptr) return;
    const T* all = reinterpret_cast<const T*>(values->data());
    T combined = all[0];
    for (int core = 1; core < cores(); ++core) combined = op(combined, all[core]);
    end_gathering(number);
    for (int core = 0; core < cores(); ++core) {
      send_message(static_cast<Core>(core), [combined] {
        CollectiveCall* call = collective_state().waiting;
        *static_cast<T*>(call->result) = combined;
        scheduler().wake(call->worker);
      });
    }
  }
};

}  // namespace detail

/// `op` over the values of all cores, for example allreduce<int64_t, collective_add>(n).
/// From: one task of every core. Suspends: until all have called. Messages: 2 for each core.
template <class T, T (*op)(const T&, const T&)>
T allreduce(T value) {
  static_assert(travels<T>::value, "a collective's value must be trivially copyable");
  T result = value;
  detail::CollectiveCall call = {&result, scheduler().current()};
  const uint64_t number = detail::collective_state().calls++;
  send_message(detail::kCollectiveRoot, detail::Contribution<T, op>{number, mycore(), value});
  detail::await_collective(&call);
  return result;
}

/// Returns when one task of every core has called it.
/// From: one task of every core. Suspends: until all have called. Messages: 2 for each core.
void barrier();

/// Runs `body()` on every core and adds up what it returns, in the order of arrival. From: task.
/// Suspends: until all have ended.
template <class F>
typename call_result<F>::type sum_all_cores(F body) {
  typedef typename call_result<F>::type T;
  T total = T();
  T* sum = &total;
  const Core home = mycore();
  on_all_cores([sum, home, body]() mutable {
    const T value = body();
    detail::send_counted(home, [sum, value] { *sum += value; });
  });
  return total;
}

}  // namespace Grappa
