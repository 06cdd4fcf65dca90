/// Includes every header under its old name in one program, and tests the global names.

#include <every_old_header.hpp>

#include <Grappa.hpp>
#include <gtest/gtest.h>

#include <cstdint>

// Old programs declare such variables at file scope.
GlobalAddress<int64_t> words;
static Incoherent<int64_t>::RO* reader;
static Core owner(GlobalAddress<int64_t> word) { return word.core(); }

namespace {

Grappa::GlobalCompletionEvent event;

/// Combines the values 2^core of all cores with `op`. From: the main task.
template <int64_t (*op)(const int64_t&, const int64_t&)>
int64_t over_all_cores() {
  static int64_t result;
  Grappa::on_all_cores([] {
    const int64_t combined = Grappa::allreduce<int64_t, op>(int64_t{1} << Grappa::mycore());
    if (Grappa::mycore() == 0) result = combined;
  });
  return result;
}

TEST(OldNames, CollectiveOperationsNeedNoNamespace) {
  const int64_t n = Grappa::cores(), all = (int64_t{1} << n) - 1;
  EXPECT_EQ(all, over_all_cores<collective_add>());
  EXPECT_EQ(all, over_all_cores<collective_sum>());
  EXPECT_EQ(int64_t{1} << (n - 1), over_all_cores<collective_max>());
  EXPECT_EQ(1, over_all_cores<collective_min>());
  EXPECT_EQ(int64_t{1} << (n * (n - 1) / 2), over_all_cores<collective_mult>());
  EXPECT_EQ(int64_t{1} << (n * (n - 1) / 2), over_all_cores<collective_prod>());
  EXPECT_EQ(1, over_all_cores<collective_and>());
  EXPECT_EQ(1, over_all_cores<collective_land>());
  EXPECT_EQ(n == 1 ? 1 : 0, over_all_cores<collective_band>());
  EXPECT_EQ(1, over_all_cores<collective_or>());
  EXPECT_EQ(1, over_all_cores<collective_lor>());
  EXPECT_EQ(all, over_all_cores<collective_bor>());
  EXPECT_EQ(n % 2, over_all_cores<collective_xor>());
  EXPECT_EQ(n % 2, over_all_cores<collective_lxor>());
  EXPECT_EQ(all, over_all_cores<collective_bxor>());
}

TEST(OldNames, CachesAndAddressesNeedNoNamespace) {
  words = Grappa::global_alloc<int64_t>(100);
  const GlobalAddress<int64_t> first = words;
  EXPECT_TRUE(Grappa::delegate::call(owner(first),
                                     [first] { return make_linear(first.pointer()) == first; }));
  Grappa::forall(words, 100, [](int64_t i, int64_t& word) { word = i; });
  {
    Incoherent<int64_t>::RO cache(words, 100);
    reader = &cache;
    for (int64_t k = 0; k < 100; ++k) EXPECT_EQ(k, (*reader)[k]);
  }
  {
    Incoherent<int64_t>::RW cache(words + 8, 1);
    *cache += 1;
  }
  {
    Incoherent<int64_t>::WO cache(words + 9, 1);
    *cache = 7;
  }
  EXPECT_EQ(9, Grappa::delegate::read(words + 8));
  EXPECT_EQ(7, Grappa::delegate::read(words + 9));
  int64_t mine = 5;
  EXPECT_EQ(Grappa::mycore(), owner(make_global(&mine)));
  Grappa::global_free(words);
}

TEST(OldNames, HeadersOfTheRuntimeDeclareTheirNames) {
  // MessagePool, PoolAllocator
  static int64_t arrived;
  arrived = 0;
  Grappa::send_heap_message(Grappa::mycore(), [] { ++arrived; });
  while (arrived == 0) Grappa::yield();
  // GlobalCompletionEvent
  Grappa::spawn<&event>([] { ++arrived; });
  event.wait();
  EXPECT_EQ(2, arrived);
  // LocaleSharedMemory
  int64_t* const place = Grappa::locale_new<int64_t>(3);
  EXPECT_EQ(3, *place);
  Grappa::locale_free(place);
  // Reducer
  static Grappa::Reducer<int64_t, Grappa::ReducerType::Max> largest;
  Grappa::on_all_cores([] { largest << Grappa::mycore() + 1; });
  EXPECT_EQ(Grappa::cores(), int64_t(largest));
  // FileIO
  EXPECT_EQ("here", Grappa::File("here").path);
}

TEST(OldNames, HeadersOfHashTablesDeclareTheirNames) {
  static int64_t arrived;
  const auto set = Grappa::GlobalHashSet<int64_t>::create(1 << 10);
  const auto map = Grappa::GlobalHashMap<int64_t, double>::create(1 << 10);
  arrived = 0;
  Grappa::finish([set] {
    for (int64_t k = 0; k < 10; ++k) set->insert_async(k / 2, [] { ++arrived; });
  });
  set->sync_all_cores();
  EXPECT_EQ(10, arrived);
  EXPECT_EQ(5, set->size());
  EXPECT_TRUE(set->lookup(4));
  Grappa::forall_keys(set, [map](int64_t& key) { map->insert(key, 0.5); });
  double half = 0;
  EXPECT_TRUE(map->lookup(4, &half));
  EXPECT_EQ(0.5, half);
  Grappa::forall_entries(map, [](int64_t key, double& value) { value += double(key); });
  EXPECT_TRUE(map->lookup(4, &half));
  EXPECT_EQ(4.5, half);
  map->destroy();
  set->destroy();
}

TEST(OldNames, HeadersOfArraysDeclareTheirNames) {
  // Array, GlobalBag, GlobalCounter
  const auto array = Grappa::GlobalArray<int64_t>::create(10);
  const auto bag = Grappa::GlobalBag<int64_t>::create();
  const auto counter = Grappa::GlobalCounter::create();
  Grappa::forall(array, [bag, counter](int64_t i, int64_t& element) {
    element = i;
    bag->add(i);
    counter->incr(i);
  });
  EXPECT_EQ(10, bag->size());
  EXPECT_EQ(45, counter->count());
  // GlobalVector
  const auto vector = Grappa::GlobalVector<int64_t>::create(1 << 10);
  for (int64_t k = 0; k < 10; ++k) vector->push(k);
  EXPECT_EQ(9, vector->pop());
  EXPECT_EQ(0, vector->dequeue());
  Grappa::forall(vector, [](int64_t& x) { ++x; });
  EXPECT_EQ(2, Grappa::delegate::read((*vector)[0]));
  EXPECT_EQ(8u, vector->size());
  vector->destroy();
  // PushBuffer
  static Grappa::PushBuffer<int64_t, (1 << 3)> buffer;
  const GlobalAddress<int64_t> index = (*array)[9];
  const GlobalAddress<int64_t> first = array->begin();
  Grappa::delegate::write(index, 0);
  Grappa::on_all_cores([first, index] { buffer.setup(first, index); });
  for (int64_t k = 0; k < 9; ++k) buffer.push(100 + k);
  Grappa::on_all_cores([] { buffer.flush(); });
  EXPECT_EQ(9, Grappa::delegate::read(index));
  EXPECT_EQ(108, Grappa::delegate::read(first + 8));
  array->destroy();
  bag->destroy();
  counter->destroy();
}

}  // namespace
