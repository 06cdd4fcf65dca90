#pragma once

/// Helpers that run the tests of a structure in each mode of combining.

#include "structures/combining.hpp"

#include <gtest/gtest.h>
#include <string>

namespace Grappa {

class EachMode : public testing::TestWithParam<Combining> {};

inline std::string name_of_mode(const testing::TestParamInfo<Combining>& mode) {
  return detail::name_of(mode.param);
}

#define GRAPPA_IN_EACH_MODE(suite)                                                      \
  INSTANTIATE_TEST_SUITE_P(                                                             \
      Combining, suite,                                                                 \
      testing::Values(Combining::None, Combining::Centralized, Combining::Distributed), \
      name_of_mode)

}  // namespace Grappa
