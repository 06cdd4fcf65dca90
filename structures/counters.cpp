#include "structures/counters.hpp"

namespace Grappa {
namespace detail {
namespace structure_counters {

Counter operations("structures.operations", "operations", "merged into the proxy of a core");
Counter commits("structures.commits", "batches", "of operations that a proxy has committed");
Counter matched_pairs("structures.matched_pairs", "pairs",
                      "of operations that satisfied each other in a proxy");
Counter duplicates("structures.duplicates", "operations",
                   "that were the same as one that waited in the proxy already");
Counter known("structures.known", "operations",
              "on sets that were answered from what the core knew to be in");
Counter master_messages("structures.master_messages", "messages",
                        "to the master of a structure, from other cores");
Counter owner_messages("structures.owner_messages", "messages",
                       "with a commit's part for another core that owns keys of a set or map");

}  // namespace structure_counters
}  // namespace detail
}  // namespace Grappa
