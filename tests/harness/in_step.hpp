#pragma once

/// For tests below the runtime whose processes go through the same TESTs in step: starts MPI before
/// the first and ends it after the last. Included by the one source of such a test.
///
/// A process that fails ends with a failure, which mpirun makes the job's. Only core 0 prints
/// progress; the others print what fails there. Use EXPECT, not ASSERT: who leaves a TEST early
/// falls out of step.

#include "system/base/check.hpp"
#include "system/net/mpi_world.hpp"
#include "system/net/topology.hpp"

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
    mpi_start(nullptr, nullptr);
    detail::the_topology = discover_topology(0);
    detail::failing_core = mycore();
    if (mycore() == 0) return;
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOfThisProcess);
  }

  void TearDown() override { mpi_finish(); }
};

static testing::Environment* const in_step = testing::AddGlobalTestEnvironment(new InStep);

}  // namespace Grappa
