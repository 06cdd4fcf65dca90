#include "structures/counters.hpp"

namespace Grappa::detail {
namespace structure_counters {

Counter operations("structures.operations", "operations", "merged into the proxy of a core");
Counter commits("structures.commits", "batches", "of operations, each committed by a proxy");
Counter matched_pairs("structures.matched_pairs", "pairs",
                      "of operations that were matched in a proxy");
Counter duplicates("structures.duplicates", "operations",
                   "equal to an operation that was already waiting in the proxy");
Counter known("structures.known", "operations",
              "on sets that a core answered from its cache of known keys");
Counter master_messages("structures.master_messages", "messages",
                        "from other cores to the master of a structure");
Counter owner_messages("structures.owner_messages", "messages",
                       "of a commit to another core that owns keys of a set or map");
Counter additions("global.combined_additions", "additions", "by fetch-and-add combiners");
Counter addition_batches("global.combined_batches", "delegates", "sent by fetch-and-add combiners");

}  // namespace structure_counters
}  // namespace Grappa::detail
