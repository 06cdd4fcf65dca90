/// Types that cannot be elements, keys or values of a global structure, and operations that do not
/// compile.

#include "structures/global_map.hpp"
#include "structures/global_multi_map.hpp"
#include "structures/global_queue.hpp"
#include "structures/global_set.hpp"
#include "structures/global_stack.hpp"

#include <list>
#include <string>
#include <vector>

namespace {

using namespace Grappa;

struct Plain {
  int64_t number;
};
struct HashPlain {
  size_t operator()(const Plain& plain) const { return static_cast<size_t>(plain.number); }
};
struct SamePlain {
  bool operator()(const Plain& a, const Plain& b) const { return a.number == b.number; }
};
struct Seeded {
  size_t seed = 1;
  size_t operator()(int64_t key) const { return static_cast<size_t>(key) ^ seed; }
};
struct Near {
  int64_t distance = 1;
  bool operator()(int64_t a, int64_t b) const { return a - b < distance && b - a < distance; }
};
struct NoDefault {
  explicit NoDefault(int64_t its_number) : number(its_number) {}
  int64_t number;
};
struct LargeSum {
  int64_t states[3];
  int64_t operator()(int64_t a, int64_t b) const { return a + b; }
};
struct alignas(32) Wide {
  char bytes[32];
};

}  // namespace

void tables(GlobalAddress<GlobalSet<int64_t>> set, GlobalAddress<GlobalMap<int64_t, int64_t>> map,
            GlobalAddress<GlobalMap<std::string, std::string>> texts) {
#ifndef CASE
  set = GlobalSet<int64_t>::create();
  GlobalSet<Plain, HashPlain, SamePlain>::create()->insert(Plain{1});
  map = GlobalMap<int64_t, int64_t>::create();
  map->insert_or_combine(1, 1, collective_add<int64_t>);

  GlobalSet<std::string>::create();
  GlobalMap<int64_t, std::string>::create();
  GlobalQueue<std::vector<std::string>>::create()->push({"a", "b"});
  texts = GlobalMap<std::string, std::string>::create();
  texts->update("key", payload("text"), [](std::string&, StringView) {});
#endif

#ifdef ELEMENT_WITHOUT_SERIALIZE  // elements of a global structure move between cores as bytes
  GlobalQueue<std::list<int>>::create();
#endif
#ifdef VECTOR_OF_CHARACTERS  // elements of characters are std::string, not std::vector<char>
  GlobalQueue<std::vector<char>>::create();
#endif
#ifdef NUMBER_AS_ADDRESS  // deleted function
  GlobalQueue<std::vector<int64_t>>::create()->push(View<int64_t>(0, 5));
#endif
#ifdef QUEUE_OF_VIEWS  // elements of a global queue must not be views or hold them
  GlobalQueue<StringView>::create();
#endif
#ifdef QUEUE_OF_PAIRS_WITH_VIEWS  // elements of a global queue must not be views or hold them
  GlobalQueue<std::pair<std::string, StringView>>::create();
#endif
#ifdef STACK_OF_STRINGS  // elements of a global structure move between cores as bytes
  GlobalStack<std::string>::create();
#endif
#ifdef KEY_WITHOUT_SERIALIZE  // elements of a global structure move between cores as bytes
  GlobalSet<std::list<int>>::create();
#endif
#ifdef VALUE_WITHOUT_SERIALIZE  // elements of a global structure move between cores as bytes
  GlobalMap<int64_t, std::list<int>>::create();
#endif
#ifdef VALUE_OF_STRING_WITHOUT_SERIALIZE  // or have a Serialize
  GlobalMap<std::string, std::list<int>>::create();
#endif
#ifdef VIEW_AS_VALUE_OF_STRING  // and no pointers or views, or have a Serialize
  GlobalMap<std::string, StringView>::create();
#endif
#ifdef LIST_AS_KEY_OF_STRINGS  // or of a type with a Serialize
  GlobalMap<std::list<int>, std::string>::create();
#endif
#ifdef VECTOR_OF_NUMBERS_AS_KEY  // must have no padding and no floating-point number
  GlobalSet<std::vector<double>>::create();
#endif
#ifdef VIEW_IN_KEY  // and hold no views
  GlobalSet<std::pair<std::string, StringView>>::create();
#endif
#ifdef MULTIMAP_OF_VIEWS  // and hold no views
  GlobalMultiMap<int64_t, StringView>::create();
#endif
#ifdef NUMBER_AS_KEY_OF_STRINGS  // must have no padding and no floating-point number
  GlobalMap<double, std::string>::create();
#endif
#ifdef MULTIMAP_OF_LISTS  // the values of a global multimap must have a Serialize
  GlobalMultiMap<int64_t, std::list<int>>::create();
#endif
#ifdef EQUALITY_OF_STRINGS  // so Equal must be std::equal_to
  GlobalSet<std::string, std::hash<std::string>, SamePlain>::create();
#endif
#ifdef WIDE_VALUE  // elements of a global structure are aligned to at most 16 bytes
  GlobalMap<int64_t, Wide>::create();
#endif
#ifdef VALUE_WITHOUT_DEFAULT  // the values of a global map must be default-constructible
  GlobalMap<int64_t, NoDefault>::create();
#endif
#ifdef HASH_WITH_STATE  // the hash of a global set or map must be a function object without state
  GlobalSet<int64_t, Seeded>::create();
#endif
#ifdef EQUALITY_WITH_STATE  // the equality of a global set or map must be a function object
  GlobalSet<int64_t, std::hash<int64_t>, Near>::create();
#endif
#ifdef NO_HASH  // this hash cannot be called with a key
  GlobalSet<Plain>::create();
#endif
#ifdef HASH_OF_ANOTHER_TYPE  // this hash cannot be called with a key
  GlobalSet<int64_t, HashPlain>::create();
#endif
#ifdef NO_EQUALITY  // keys cannot be compared
  GlobalSet<Plain, HashPlain>::create();
#endif
#ifdef LARGE_OPERATION  // of at most 16 bytes
  map->insert_or_combine(1, 1, LargeSum());
#endif
#ifdef OPERATION_OF_ONE_VALUE  // takes two values and returns one: V op(V, V)
  map->insert_or_combine(1, 1, [](int64_t a) { return a; });
#endif
#ifdef LOOP_OVER_KEYS_WITH_VALUES  // the body of a loop over a set takes a key: (const K&)
  set->forall_keys([](const int64_t&, int64_t&) {});
#endif
#ifdef LOOP_OVER_ENTRIES_WITHOUT_VALUES  // takes a key and its value: (const K&, V&)
  map->forall_entries([](const int64_t&) {});
#endif
#ifdef UPDATE_WITH_ANOTHER_PAYLOAD  // and for an entry, it first takes the object by reference
  texts->update("key", payload("text"), [](std::string&, int) {});
#endif
#ifdef VISIT_WITHOUT_THE_VALUE  // and for an entry, it first takes the object by reference
  texts->visit("key", payload("text"), [](StringView) {});
#endif
#ifdef CLOSURE_THAT_DOES_NOT_TRAVEL  // all its captures must be trivially copyable
  const std::string text = "of no fixed length";
  map->update(1, [text](int64_t& value) { value = static_cast<int64_t>(text.size()); });
#endif
}
