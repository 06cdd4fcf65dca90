#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/numbers_as_keys.hpp"
#include "tests/structures/recorded_history.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace linearizability { namespace {

using namespace Grappa;

template <class K>
struct SetOf {
  typedef GlobalAddress<GlobalSet<K>> Address;

  static uint64_t create(int mode) {
    return GlobalSet<K>::create(0, static_cast<Combining>(mode)).raw_bits();
  }

  static void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

  static void make(uint64_t structure, Operation* operation) {
    const Address set = Address::from_raw(structure);
    const K key = key_of<K>(operation->key);
    if (make_async(operation, [set, &key] { set->template insert<async>(key); })) return;
    switch (operation->kind) {
      case Kind::Insert: operation->yes = set->insert(key); return;
      case Kind::Erase: operation->yes = set->erase(key); return;
      default: operation->yes = set->lookup(key);
    }
  }

  static void check(Combining mode) {
    const Subject subject = {&kSet, false, create, destroy, make};
    expect_linearizable(subject, static_cast<int>(mode));
  }
};

class GlobalSetHistories : public EachMode {};

TEST_P(GlobalSetHistories, AreLinearizable) { SetOf<int64_t>::check(GetParam()); }
TEST_P(GlobalSetHistories, OfStringsAreLinearizable) { SetOf<std::string>::check(GetParam()); }
TEST_P(GlobalSetHistories, OfVectorsAreLinearizable) {
  SetOf<std::vector<int32_t>>::check(GetParam());
}
TEST_P(GlobalSetHistories, OfATypeWithASerializeAreLinearizable) {
  SetOf<Place>::check(GetParam());
}

GRAPPA_IN_EACH_MODE(GlobalSetHistories);

}}  // namespace linearizability
