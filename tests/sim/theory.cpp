/// A program for tests of the model of the network: prints the time of operations whose time theory
/// predicts. The first argument selects the operation.

#include <Grappa.hpp>

#include "structures/global_queue.hpp"
#include "system/net/sim/options.hpp"
#include "system/observe/counters.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

using namespace Grappa;

namespace {

constexpr int kTimes = 20;
constexpr int64_t kPlacedOnOneCore = 1024;  // pushes without combining that the master places

int64_t counter(const char* name) {
  const detail::Counter* each = detail::Counter::first();
  while (std::strcmp(each->name(), name) != 0) each = each->next();
  return static_cast<int64_t>(each->value());
}

double barrier_ns() {
  static double ns;
  on_all_cores([] {
    barrier();
    const double begin = walltime();
    for (int k = 0; k < kTimes; ++k) barrier();
    ns = (walltime() - begin) * 1e9 / kTimes;
  });
  return ns;
}

/// The time of a delegate call from core 0 to the last core.
double call_ns() {
  const double begin = walltime();
  for (int k = 0; k < kTimes; ++k) delegate::call(cores() - 1, [] {});
  return (walltime() - begin) * 1e9 / kTimes;
}

/// The time of a push to a queue without combining by tasks on all cores, while the elements are
/// placed on core 1.
double push_ns() {
  const auto queue = GlobalQueue<int64_t>::create(2 * kPlacedOnOneCore, Combining::None);
  const auto push = [queue](int64_t k) { queue->push(k); };
  forall(0, kPlacedOnOneCore, push);
  const double begin = walltime();
  forall(0, kPlacedOnOneCore, push);
  const double ns = (walltime() - begin) * 1e9 / double(kPlacedOnOneCore);
  queue->destroy();
  return ns;
}

/// The time of updates of random words by all cores. Prints the bytes that all cores have sent.
double updates_ns() {
  constexpr int64_t words = 1 << 16, updates = 1 << 17;
  const GlobalAddress<int64_t> table = global_alloc<int64_t>(words);
  const auto bytes = [] { return allreduce<int64_t, collective_add>(counter("message.bytes")); };
  static int64_t sent;
  on_all_cores([=] { sent = bytes(); });
  const double begin = walltime();
  finish([=] {
    on_all_cores([=] {
      detail::SimRandom random(static_cast<uint64_t>(mycore()));
      for (int64_t k = 0; k < updates; ++k) {
        delegate::increment<async>(table + static_cast<int64_t>(random.below(words)), int64_t{1});
      }
    });
  });
  const double ns = (walltime() - begin) * 1e9;
  on_all_cores([=] { sent = bytes() - sent; });
  std::printf("bytes %lld\n", static_cast<long long>(sent));
  global_free(table);
  return ns;
}

/// The time of an async delegate call from core 1, whose task always runs, to the last core.
double aged_ns() {
  static double begin, end;
  on_all_cores([] {
    if (mycore() != 1) return;
    begin = walltime();
    delegate::call<async>(cores() - 1, [] { end = walltime(); });
    while (walltime() < begin + 0.5e-3) yield();
  });
  const double sent = delegate::call(1, [] { return begin; });
  return (delegate::call(cores() - 1, [] { return end; }) - sent) * 1e9;
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  const std::string what = argc > 1 ? argv[1] : "";
  run([what] {
    const double ns = what == "barrier" ? barrier_ns()
                      : what == "call"  ? call_ns()
                      : what == "push"  ? push_ns()
                      : what == "aged"  ? aged_ns()
                                        : updates_ns();
    std::printf("ns %.1f\n", ns);
  });
  return finalize();
}
