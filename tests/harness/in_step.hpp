#pragma once

/// For tests below the runtime whose processes go through the same TESTs in step: starts the world
/// before the first and finishes it after the last. Included by the one source of such a test.
///
/// A process that fails ends with a failure, which the launcher makes the job's. Only core 0 prints
/// progress; the others print what fails there. Use EXPECT, not ASSERT: who leaves a TEST early
/// falls out of step.

#include "system/base/check.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"

#include <cstdio>
#include <gtest/gtest.h>

namespace Grappa {

class FailuresOfThisProcess : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const char* file = result.file_name() != nullptr ? result.file_name() : "unknown file";
    std::fprintf(stderr, "%s:%d: failure on core %d\n%s\n", file, result.line_number(),
                 static_cast<int>(mycore()), result.message());
  }
};

class InStep : public testing::Environment {
  void SetUp() override {
    detail::start_world(detail::WorldChoice::Automatic, nullptr, nullptr);
    detail::the_topology = detail::world().discover_topology(0);
    detail::the_known_topology = &detail::the_topology;
    detail::failing_core = mycore();
    if (mycore() == 0) return;
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOfThisProcess);
  }

  void TearDown() override { detail::finish_world(); }
};

/// Whether there can be locales of so many cores; 0: as they are. A test that wants others is
/// skipped.
inline bool can_pretend(int cores_per_locale) {
  return cores_per_locale == 0 || detail::world().refusal(cores_per_locale).empty();
}

static testing::Environment* const in_step = testing::AddGlobalTestEnvironment(new InStep);

}  // namespace Grappa
