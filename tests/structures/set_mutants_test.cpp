/// The checker accepts a small flat-combined set, and rejects the same set with one fault.

#include "structures/flat_combiner.hpp"

#include <Grappa.hpp>

#include "tests/structures/recorded_history.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

namespace linearizability { namespace {

using namespace Grappa;

enum class Fault {
  None,
  LookupSeesPending,      // a lookup reports the key of a pending insert as present
  DuplicateReturnsEarly,  // a duplicate of a pending insert does not wait
  WakesEarly              // inserts are woken before the keys are in the set
};

class SmallSet;

class SmallSetProxy : public FCProxy {
 public:
  explicit SmallSetProxy(SmallSet* set) : set_(set) {}

  bool insert(int64_t key);
  bool lookup(int64_t key);
  void sync() override;

 private:
  SmallSet* const set_;
  std::map<int64_t, bool> inserts_;  // true if the key is new
  std::map<int64_t, bool> lookups_;  // true if the key is found
};

/// A symmetric object: `this` is the same on every core. All keys are on core 0.
class SmallSet {
 public:
  explicit SmallSet(Fault fault) : fault_(fault), combiner_(this) {}

  bool insert(int64_t key) { return combiner_->insert(key); }
  bool lookup(int64_t key) { return combiner_->lookup(key); }
  bool erase(int64_t key) {
    return delegate::call(0, [this, key] { return keys_.erase(key) != 0; });
  }
  int64_t size() {
    return delegate::call(0, [this] { return static_cast<int64_t>(keys_.size()); });
  }

 private:
  friend class SmallSetProxy;

  bool insert_at_owner(int64_t key) {
    return delegate::call(0, [this, key] { return keys_.insert(key).second; });
  }
  bool lookup_at_owner(int64_t key) {
    return delegate::call(0, [this, key] { return keys_.count(key) != 0; });
  }

  const Fault fault_;
  FlatCombiner<SmallSetProxy> combiner_;
  std::set<int64_t> keys_;
};

/// The first of several inserts of a key returns the answer of the commit.
bool SmallSetProxy::insert(int64_t key) {
  const auto entry = inserts_.emplace(key, true);
  if (!entry.second) {
    if (set_->fault_ != Fault::DuplicateReturnsEarly) wait();
    return false;
  }
  wait();
  return entry.first->second;
}

bool SmallSetProxy::lookup(int64_t key) {
  if (set_->fault_ == Fault::LookupSeesPending && inserts_.count(key) != 0) return true;
  const auto entry = lookups_.emplace(key, false).first;
  wait();
  return entry->second;
}

void SmallSetProxy::sync() {
  SmallSet* const set = set_;
  for (auto& each : inserts_) {
    const int64_t key = each.first;
    if (set->fault_ == Fault::WakesEarly) {
      spawn([set, key] { set->insert_at_owner(key); });
    } else {
      each.second = set->insert_at_owner(key);
    }
  }
  for (auto& each : lookups_) each.second = set->lookup_at_owner(each.first);
}

typedef GlobalAddress<SmallSet> Address;

uint64_t create(int fault) { return symmetric<SmallSet>(static_cast<Fault>(fault)).raw_bits(); }

void destroy(uint64_t structure) { global_free(Address::from_raw(structure)); }

void make(uint64_t structure, Operation* operation) {
  const Address set = Address::from_raw(structure);
  const int64_t key = operation->key;
  switch (operation->kind) {
    case Kind::Size: operation->result = set->size(); return;
    case Kind::Insert: operation->yes = set->insert(key); return;
    case Kind::Erase: operation->yes = set->erase(key); return;
    default: operation->yes = set->lookup(key);
  }
}

const Subject kSmallSet = {&kSet, true, create, destroy, make};

TEST(SetMutants, AreAcceptedWithoutAFault) {
  expect_linearizable(kSmallSet, static_cast<int>(Fault::None));
}

TEST(SetMutants, AreRejectedIfALookupIsAnsweredFromAPendingInsert) {
  expect_rejected(kSmallSet, static_cast<int>(Fault::LookupSeesPending));
}

TEST(SetMutants, AreRejectedIfADuplicateInsertReturnsBeforeTheKeyIsIn) {
  expect_rejected(kSmallSet, static_cast<int>(Fault::DuplicateReturnsEarly));
}

TEST(SetMutants, AreRejectedIfInsertsAreWokenBeforeTheCommit) {
  expect_rejected(kSmallSet, static_cast<int>(Fault::WakesEarly));
}

}}  // namespace linearizability
