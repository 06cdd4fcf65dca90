/// What is the cost of detecting that all work is complete?
///
/// `completion.messages`: the exact number of messages that acknowledge a million async delegates
/// from all cores to all cores. This is also measured with an event that all cores share. Verified:
/// all delegates have been executed when the wait returns. `finish.empty`: a finish around an
/// increment, also measured with an event. Baseline: an increment of a number in memory.
/// `finish.delegate`: a finish around one async delegate to another core. Baseline: half the round
/// trip of a cache line that two processes send each other with hand-written code. The ratio is a
/// number of transfers. Verified: the number of executed bodies and delegates.

#include <Grappa.hpp>

#include "bench/harness/bench.hpp"
#include "bench/harness/keep.hpp"
#include "bench/raw_side.hpp"
#include "system/observe/counters.hpp"

#include <cstdint>
#include <cstring>

namespace {

constexpr int64_t kDelegates = 1000000;

Grappa::GlobalCompletionEvent event;

// The number of delegates that this core has executed.
int64_t executed = 0;

int64_t executed_everywhere() {
  return Grappa::sum_all_cores([] { return executed; });
}

int64_t completion_messages() {
  return Grappa::sum_all_cores([] {
    for (Grappa::detail::Counter* each = Grappa::detail::Counter::first(); each != nullptr;
         each = each->next()) {
      if (std::strcmp(each->name(), "scope.completion_messages") == 0) return each->value();
    }
    return uint64_t{0};
  });
}

void send_from(int64_t first, int64_t count) {
  for (int64_t k = first; k < first + count; ++k) {
    const Grappa::Core dest = Grappa::Core(k * 7919 % Grappa::cores());
    Grappa::delegate::call<Grappa::async>(dest, [k] { executed += k >= 0; });
  }
}

// Returns the number of messages that `send()` causes. `send()` must execute each delegate once.
template <class F>
bench::Figure messages_of(const bench::Question& question, F send) {
  const int64_t before = executed_everywhere();
  const int64_t messages = completion_messages();
  send();
  const bool right = executed_everywhere() - before == kDelegates;
  bench::Figure figure = bench::count(question, double(completion_messages() - messages));
  figure.verified = right;
  return figure;
}

void count_messages(bench::Bench* bench) {
  bench->record(messages_of(
      {"completion.messages", "messages that acknowledge a million delegates of a finish", "1", ""},
      [] { Grappa::forall(0, kDelegates, send_from); }));
  bench->record(messages_of(
      {"completion.messages.event", "messages that acknowledge delegates of an event", "1", ""},
      [] { Grappa::forall<&event>(0, kDelegates, send_from); }));
}

// Returns the nanoseconds of one of n calls of `operation`. Each call increments a number.
template <class F>
bench::Body time_of(int64_t n, F operation) {
  return [n, operation] {
    int64_t number = 0;
    const uint64_t start = Grappa::detail::steady_ns();
    for (int64_t k = 0; k < n; ++k) operation(&number);
    return bench::Measurement(double(Grappa::detail::steady_ns() - start) / double(n), number == n);
  };
}

void count_up(int64_t* number) {
  ++*number;
  bench::keep(*number);
}

void measure_empty(bench::Bench* bench) {
  const int64_t n = bench->quick() ? 100000 : 3000000;
  const char* const kBaseline = "increment a number in memory";
  const bench::Body baseline = time_of(n, count_up);
  bench->compare({"finish.empty", "a finish around an increment", "ns", kBaseline},
                 time_of(n, [](int64_t* number) { Grappa::finish([=] { count_up(number); }); }),
                 baseline);
  bench->compare(
      {"finish.event.empty", "a finish of an event around an increment", "ns", kBaseline},
      time_of(n, [](int64_t* number) { Grappa::finish<&event>([=] { count_up(number); }); }),
      baseline);
}

bench::Measurement finish_delegate_ns(int64_t n) {
  const int64_t before = executed_everywhere();
  const uint64_t start = Grappa::detail::steady_ns();
  for (int64_t k = 0; k < n; ++k) {
    Grappa::finish([] { Grappa::delegate::call<Grappa::async>(1, [] { ++executed; }); });
  }
  const double ns = double(Grappa::detail::steady_ns() - start) / double(n);
  return {ns, executed_everywhere() - before == n};
}

void measure_delegate(bench::Bench* bench) {
  const char* const kId = "finish.delegate";
  if (Grappa::cores() != 2) {
    bench->omit(kId, "requires two cores");
    return;
  }
  const int64_t n = bench->quick() ? 1000 : 10000;
  bench::PairOptions options;
  options.ping_pong = bench::raw_half_round_trip_ns;
  bench->compare(
      {kId, "a finish around one async delegate to the other core", "ns",
       "a cache line from one core to the other, by hand"},
      [n] { return finish_delegate_ns(n); }, [] { return bench::raw_half_round_trip_ns(); },
      options);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  Grappa::run([&bench] {
    bench::prepare_raw_side();
    count_messages(&bench);
    measure_empty(&bench);
    measure_delegate(&bench);
  });
  Grappa::finalize();
  return bench.finish();
}
