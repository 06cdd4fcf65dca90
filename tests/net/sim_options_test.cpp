#include "system/net/sim/cluster.hpp"
#include "system/net/sim/options.hpp"

#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace Grappa::detail;

std::string error_of(const std::string& text) {
  SimOptions options;
  return parse_simulation(text, &options);
}

TEST(SimOptions, AreReadFromOneWord) {
  SimOptions options;
  EXPECT_EQ("", parse_simulation("64x16,seed=7,faults,processors=2,kill=3@500", &options));
  EXPECT_EQ(64, options.locales);
  EXPECT_EQ(16, options.cores_per_locale);
  EXPECT_EQ(7u, options.seed);
  EXPECT_TRUE(options.faults);
  EXPECT_EQ(2, options.processors);
  EXPECT_EQ(3, options.kill_core);
  EXPECT_EQ(500u, options.kill_ns);
}

TEST(SimOptions, HaveErrorsThatNameTheWrongPart) {
  EXPECT_NE(std::string::npos, error_of("").find("is not LOCALESxCORES"));
  EXPECT_NE(std::string::npos, error_of("2x2,kill=").find("kill must be"));
  EXPECT_NE(std::string::npos, error_of("2x2,kill=1").find("kill must be"));
  EXPECT_NE(std::string::npos, error_of("2x2,kill=4@0").find("kill must be"));
  EXPECT_NE(std::string::npos, error_of("2x2,seed=").find("seed must be"));
  EXPECT_NE(std::string::npos, error_of("2x2,processors=0").find("processors must be"));
  EXPECT_NE(std::string::npos, error_of("32768x1").find("is not LOCALESxCORES"));
}

TEST(SimOptions, ReadParametersInNanoseconds) {
  const std::string path = testing::TempDir() + "sim_options_test.network";
  std::ofstream(path) << "# a comment\n\n  far.latency_ns = 1.5  # microns\ncore.task_ns = 0\n"
                         "far.eager_bytes = 100\n";
  SimOptions options;
  EXPECT_EQ("", parse_simulation("2x2,network=" + path, &options));
  EXPECT_EQ(1500u, options.far.latency_ps);
  EXPECT_EQ(0u, options.costs.task_ps);
  EXPECT_EQ(100u, options.eager_bytes);
  for (const char* line :
       {"far.latency_ns 3", "far.latency_ns = x", "far.latency_ns = 3 4", "far.latency_ns = -1",
        "far.latency_ns = 1e10", "far.latency = 3", "core.poll_ns = 0", "far.latency_ns = nan"}) {
    std::ofstream(path) << line << "\n";
    EXPECT_NE("", parse_simulation("2x2,network=" + path, &options)) << line;
  }
}

TEST(SimFaults, DependOnlyOnTheSeedAndTheCore) {
  SimOptions options;
  ASSERT_EQ("", parse_simulation("3x2,faults", &options));
  std::set<std::vector<uint64_t>> different;
  for (options.seed = 0; options.seed < 200; ++options.seed) {
    const SimFaults one = faults_of(options, 1), again = faults_of(options, 1);
    const std::vector<uint64_t> values = {one.delay_ns, one.return_ns,  one.pause_ns,
                                          one.pauses,   one.rejections, one.slowness};
    EXPECT_EQ(values, (std::vector<uint64_t>{again.delay_ns, again.return_ns, again.pause_ns,
                                             again.pauses, again.rejections, again.slowness}));
    different.insert(values);
  }
  EXPECT_GT(different.size(), 50u);
  options.faults = false;
  EXPECT_EQ(0u, faults_of(options, 1).delay_ns);
  EXPECT_EQ(1u, faults_of(options, 1).slowness);
}

TEST(SimList, KeepsTheOrderOfArrivalThenSourceThenSequence) {
  static std::array<SimEvent, 200> events;  // a vector does not align them in C++11
  SimList<SimEvent> list = {};
  SimRandom random(1);
  for (size_t k = 0; k < events.size(); ++k) {
    events[k].arrive_ns = random.below(20);
    events[k].source = static_cast<uint32_t>(random.below(3));
    events[k].sequence = k;
    list.put(&events[k]);
  }
  size_t n = 1;
  for (const SimEvent* last = list.pop(); list.first != nullptr; ++n) {
    const SimEvent* next = list.pop();
    EXPECT_TRUE(last->is_before(*next));
    last = next;
  }
  EXPECT_EQ(events.size(), n);
}

TEST(SimArena, GivesDistinctMemoryAndUsesFreedEventsAgain) {
  alignas(kCacheLineBytes) static char memory[1 << 20];
  SimArena arena = {};
  arena.open(memory, sizeof memory);
  std::map<char*, char*> taken;  // the end of each object by its begin
  const auto take = [&](void* begin, size_t bytes) {
    char* const first = static_cast<char*>(begin);
    EXPECT_TRUE(taken.emplace(first, first + bytes).second);
  };
  for (uint32_t bytes : {64, 65, 1000, 70000, 0}) {
    SimEvent* const event = arena.allocate_event(bytes);
    EXPECT_EQ(bytes != 0, event->is_message());
    take(event, sizeof *event);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(event) % alignof(SimEvent));
    if (bytes != 0) take(event->buffer, bytes);
    take(arena.allocate_return(), sizeof(SimReturn));
    SimEvent* const other = arena.allocate_event(bytes);
    take(other, sizeof *other);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(other) % alignof(SimEvent));
    arena.free(event);
    EXPECT_EQ(event, arena.allocate_event(bytes));
  }
  for (auto next = taken.begin(), object = next++; next != taken.end(); object = next++) {
    EXPECT_LE(object->second, next->first);
  }
}

}  // namespace
