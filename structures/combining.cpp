#include "structures/combining.hpp"

#include "system/base/input_error.hpp"

#include <string>
#include <vector>

#include <gflags/gflags.h>

DEFINE_string(
    combining, "distributed",
    "how operations of global structures synchronise, unless the program sets it: "
    "none (each operation by itself), centralized (combined at the master) or distributed "
    "(combined on each core)");

DEFINE_bool(
    combining_tree, true,
    "combine the batches of the cores of a locale once more, before they are sent to the master of "
    "a stack or queue, or to the owners of keys in other locales");

DEFINE_int64(
    known_keys, 8192,
    "keys of a global set that each core caches, to answer repeated inserts and lookups of these "
    "keys locally; 0: no cache");

DEFINE_int64(
    partial_sums, 8192,
    "number of sums of a global map that each core keeps: insert_or_combine<async> adds "
    "repeated values of a key to a sum, which is sent to the owner of the key later; 0: no "
    "sums");

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
Counter local("structures.local", "operations",
              "on keys of a set or map that needed no proxy, since the caller's core owns them");
Counter summed("structures.summed", "operations",
               "insert_or_combine<async> that were combined with an earlier one on the same core");
Counter announced("structures.announced", "erasures",
                  "of keys that other cores may have cached, announced to all cores");
Counter master_messages("structures.master_messages", "messages",
                        "from other cores to the master of a structure");
Counter gathered_batches("structures.gathered_batches", "batches",
                         "sent to the core that combines the batches of a locale");
Counter owner_messages("structures.owner_messages", "messages",
                       "of a commit to another core that owns keys of a set or map");
Counter additions("global.combined_additions", "additions", "by fetch-and-add combiners");
Counter addition_batches("global.combined_batches", "delegates", "sent by fetch-and-add combiners");

}  // namespace structure_counters

constexpr const char* kNames[] = {"none", "centralized", "distributed"};  // by mode

const char* name_of(Combining mode) { return kNames[static_cast<int>(mode)]; }

Combining default_combining() {
  for (int mode = 0; mode < 3; ++mode) {
    if (FLAGS_combining == kNames[mode]) return static_cast<Combining>(mode);
  }
  input_error("--combining: invalid value \"" + FLAGS_combining +
              "\", expected none, centralized or distributed");
}

namespace {

// Returns the value of a flag that sizes a cache.
size_t cache_size(const char* flag, int64_t value) {
  constexpr int64_t kMost = int64_t{1} << 24;
  if (value < 0 || value > kMost) {
    input_error(std::string("--") + flag + ": invalid value " + std::to_string(value) +
                ", expected 0 to " + std::to_string(kMost));
  }
  return static_cast<size_t>(value);
}

}  // namespace

Core next_master() {
  static int64_t created = 0;
  const int64_t round = created / locales(), steps = created % locales();
  ++created;
  const Locale locale = static_cast<Locale>((mylocale() + steps) % locales());
  std::vector<Core> members;
  for (Core core = 0; core < cores(); ++core) {
    if (locale_of(core) == locale) members.push_back(core);
  }
  return members[static_cast<size_t>(locale_mycore() + steps + round) % members.size()];
}

size_t known_keys_option() { return cache_size("known_keys", FLAGS_known_keys); }
bool combining_tree_option() { return FLAGS_combining_tree; }
bool gathers_requests(Combining mode) {
  return mode == Combining::Distributed && combining_tree_option() && locales() > 1 &&
         locale_cores() > 1;
}
size_t partial_sums_option() { return cache_size("partial_sums", FLAGS_partial_sums); }

}  // namespace Grappa::detail
