#pragma once

/// Fetches strings from other cores. Only the core that sends a string knows its length.

#include "system/message/closure_check.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/sync/completion_event.hpp"

#include <string>
#include <vector>

namespace Grappa { namespace detail {

/// Calls `make()` in a handler on core `from`, stores the returned string in `*result`, then
/// completes `*done`. `make()` must not suspend. Messages: 2; more if a buffer is too small.
template <class F>
void start_fetch(Core from, F make, std::string* result, CompletionEvent* done) {
  const Core home = mycore();
  done->enroll();
  check_closure(make);
  const auto make_there = [make, home, result, done]() mutable {
    const std::string bytes = make();
    const auto arrive = [result, done](void* payload, size_t n) {
      result->assign(static_cast<const char*>(payload), n);
      done->complete();
    };
    send_message(home, unchecked(arrive), bytes.data(), bytes.size());
  };
  send_message(from, unchecked(make_there));
}

/// Fetches a string from one core. From: task. Suspends: until the answer has arrived.
template <class F>
std::string fetch(Core from, F make) {
  std::string result;
  CompletionEvent done;
  start_fetch(from, make, &result, &done);
  done.wait();
  return result;
}

/// Fetches a string from every core in the same way; result[k] is from core k.
template <class F>
std::vector<std::string> fetch_from_all(F make) {
  std::vector<std::string> results(static_cast<size_t>(cores()));
  CompletionEvent done;
  for (int core = 0; core < cores(); ++core) {
    start_fetch(static_cast<Core>(core), make, &results[static_cast<size_t>(core)], &done);
  }
  done.wait();
  return results;
}

}}  // namespace Grappa::detail
