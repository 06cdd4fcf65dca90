#include "tests/structures/recorded_history.hpp"

#include "tests/structures/suspension_delays.hpp"

#include <Grappa.hpp>

#include "system/observe/clock.hpp"
#include "tests/harness/random_seed.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

DEFINE_int64(histories, 200, "histories of each test; its five jobs together make 1000");
DEFINE_int64(calls, 12, "calls of each core in a history; more than 12 have no size operation");
DEFINE_int64(keys, 3, "keys of each set or map; few keys let most operations overlap");
DEFINE_uint64(seed, 0, "seed of all random choices; 0: a random seed");

namespace linearizability {
namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// The number of histories that are recorded concurrently.
constexpr int64_t kBatch = 8;

/// The maximum number of tasks in total, for each history. The time of the checker increases
/// rapidly with this number.
constexpr int64_t kTasks = 12;

/// A history in which the calls of different cores do not overlap does not count. This number of
/// histories may be recorded for each history that counts.
constexpr int64_t kMostTries = 50;

int64_t noise[64];

// Only core 0 uses this variable.
std::vector<History> gathered;

// Each core uses its own instance.
std::vector<History> recorded_here;

/// A batch of histories. This object is sent to all cores.
struct Batch {
  const Specification* what;
  void (*make)(uint64_t structure, Operation* operation);
  bool has_size;
  uint64_t structures[kBatch];
  uint64_t seed;

  /// Random numbers that are the same on every core.
  Random random(int64_t number) const {
    return Random(Random(seed + static_cast<uint64_t>(number)).next());
  }
};

Kind some_kind(const Specification& what, bool with_size, Random* random) {
  if (with_size && random->below(10) == 0) return Kind::Size;
  if (!what.keyed) return random->below(2) == 0 ? Kind::Push : Kind::TryPop;
  const Kind kinds[] = {Kind::Insert,  Kind::Insert, Kind::Erase,  Kind::Lookup, Kind::Lookup,
                        Kind::Combine, Kind::Update, Kind::Insert, Kind::Visit,  Kind::Contains};
  return kinds[random->below(&what == &kMap ? 10 : 5)];
}

/// Delays a task between two of its calls.
void get_in_the_way(Random* random) {
  const auto elsewhere =
      make_global(&noise[random->below(64)], static_cast<Core>(random->below(cores())));
  switch (random->below(8)) {
    case 0: return delegate::increment<async>(elsewhere, 1);
    case 1: delegate::fetch_and_add(elsewhere, 1); return;
    case 2:
    case 3: return;
    default: return delay(random);
  }
}

/// Makes all calls of one task.
void make_calls(const Batch& batch, int64_t history, int task, int64_t calls) {
  Random of_history = batch.random(history);
  const bool with_size = batch.has_size && FLAGS_calls <= 12 && of_history.below(4) == 0;
  Random random = batch.random(1000 + (history * cores() + mycore()) * kTasks + task);
  for (int64_t k = 0; k < calls; ++k) {
    get_in_the_way(&random);
    Operation operation = {};
    operation.kind = some_kind(*batch.what, with_size, &random);
    operation.key = batch.what->keyed ? random.below(FLAGS_keys) : 0;
    operation.value = (mycore() + 1) * 10000 + task * 100 + k;
    operation.core = mycore();
    operation.task = task;
    operation.invoked = steady_ns();
    batch.make(batch.structures[history], &operation);
    operation.returned = steady_ns();
    recorded_here[static_cast<size_t>(history)].push_back(operation);
  }
}

/// Records the calls of this core for all histories of the batch, and sends them to core 0.
void record_here(const Batch& batch) {
  recorded_here.assign(kBatch, History());
  begin_delays(batch.random(-1 - mycore()).next());
  barrier();
  finish([&batch] {
    for (int64_t history = 0; history < kBatch; ++history) {
      Random random = batch.random(history);
      random.next();  // make_calls() uses this number to decide about size
      const int64_t tasks = 1 + random.below(std::max<int64_t>(1, kTasks / cores()));
      for (int task = 0; task < tasks; ++task) {
        spawn([&batch, history, task, tasks] {
          make_calls(batch, history, task, FLAGS_calls / tasks);
        });
      }
    }
  });
  end_delays();
  for (size_t history = 0; history < recorded_here.size(); ++history) {
    for (const Operation& each : recorded_here[history]) {
      delegate::call<async>(0, [history, each] { gathered[history].push_back(each); });
    }
  }
}

bool has_overlap_of_cores(const History& history) {
  for (const Operation& a : history) {
    for (const Operation& b : history) {
      if (a.core != b.core && a.invoked <= b.invoked && b.invoked <= a.returned) return true;
    }
  }
  return false;
}

/// Returns "", or a report. The search would take too long for long histories of a queue.
std::string problem_of(const Specification& what, const History& history) {
  if (&what == &kQueue && FLAGS_calls > 12) return queue_violation(history);
  const Verdict verdict = check(what, history);
  return verdict ? "" : verdict.report;
}

void record_batch(const Subject& subject, int variant, uint64_t seed) {
  gathered.assign(kBatch, History());
  Batch batch = {subject.what, subject.make, subject.has_size, {}, seed};
  for (uint64_t& structure : batch.structures) structure = subject.create(variant);
  on_all_cores([batch] { record_here(batch); });
  for (const uint64_t structure : batch.structures) subject.destroy(structure);
}

}  // namespace

Findings record(const Subject& subject, int variant, int64_t histories, uint64_t seed) {
  Findings findings;
  const int64_t delays_before = sum_all_cores([] { return delays_here(); });
  Random seeds(seed);
  while (findings.histories < histories && findings.made < kMostTries * histories &&
         findings.rejected.empty()) {
    record_batch(subject, variant, seeds.next());
    for (const History& history : gathered) {
      ++findings.made;
      findings.histories += cores() == 1 || has_overlap_of_cores(history);
      const std::string problem = problem_of(*subject.what, history);
      if (problem.empty()) continue;
      findings.rejected = "--seed=" + std::to_string(seed) + ", history " +
                          std::to_string(findings.made) + ": " + problem;
      break;
    }
  }
  findings.delays = sum_all_cores([] { return delays_here(); }) - delays_before;
  return findings;
}

uint64_t seed_of_test() {
  if (FLAGS_seed == 0) FLAGS_seed = random_seed();
  return FLAGS_seed;
}

void expect_linearizable(const Subject& subject, int variant) {
  const Findings findings = record(subject, variant, FLAGS_histories, seed_of_test());
  EXPECT_TRUE(findings.rejected.empty()) << findings.rejected;
  EXPECT_LE(FLAGS_histories, findings.histories) << "too few histories with overlapping calls";
  EXPECT_LT(findings.made, findings.delays) << "suspensions were not delayed";
}

void expect_rejected(const Subject& subject, int variant) {
  const Findings findings = record(subject, variant, 10000, seed_of_test());
  EXPECT_FALSE(findings.rejected.empty())
      << "a wrong structure passed " << findings.made << " times";
}

}  // namespace linearizability
