#include "system/global/fetch_add_combiner.hpp"

#include "system/observe/counters.hpp"

namespace Grappa {
namespace detail {
namespace {

Counter additions("global.combined_additions", "additions", "by fetch-and-add combiners");
Counter batches("global.combined_batches", "delegates", "sent by fetch-and-add combiners");

}  // namespace

void count_combined(int64_t n) {
  additions += static_cast<uint64_t>(n);
  ++batches;
}

}  // namespace detail
}  // namespace Grappa
