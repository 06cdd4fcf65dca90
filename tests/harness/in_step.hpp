#pragma once

/// The main part of tests of modules below the runtime. All processes run the same TESTs in step.
/// This header starts the world before the first TEST and finishes it after the last TEST. The
/// single source file of such a test includes this header.
///
/// A failing process exits with a nonzero status, and the launcher then reports failure for the
/// job. Only core 0 prints progress; other cores print only their failures. Use EXPECT instead of
/// ASSERT, because a process that leaves a TEST early is no longer in step.

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
    if (mycore() == 0) return;
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOfThisProcess);
  }

  void TearDown() override { detail::finish_world(); }
};

/// Returns true if locales of `cores_per_locale` cores are possible (0: the real locales). If this
/// returns false, the test must be skipped.
inline bool can_pretend(int cores_per_locale) {
  return cores_per_locale == 0 || detail::world().refusal(cores_per_locale).empty();
}

static testing::Environment* const in_step = testing::AddGlobalTestEnvironment(new InStep);

}  // namespace Grappa
