/// Reference section "Caches": read-only, write-only and read-write copies of global memory.

#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace conformance;

namespace {

constexpr int64_t kElements = 100;

/// Reads ranges that begin and end inside of a block, also empty ranges and single elements.
template <class T>
void read_stretches() {
  const auto array = sample_array<T>(kElements);
  on_all_cores([array] {
    for (const int64_t n : {0, 1, 7, 90}) {
      typename Incoherent<T>::RO cache(array + 5, n);
      const typename Incoherent<T>::RO& same = cache;
      EXPECT_EQ(n, same.count());
      EXPECT_EQ(array + 5, same.address());
      for (int64_t k = 0; k < n; ++k) EXPECT_TRUE(sample<T>(5 + k) == cache[k]);
    }
  });
  global_free(array);
}

TEST(Caches, ReadOnly) {
  read_stretches<int64_t>();
  read_stretches<double>();
  read_stretches<bool>();
  read_stretches<Record>();
}

template <class T>
void write_stretches() {
  const auto array = sample_array<T>(kElements);
  for (const int64_t n : {0, 1, 7, 90}) {
    {
      typename Incoherent<T>::WO cache(array + 5, n);
      for (int64_t k = 0; k < n; ++k) cache[k] = sample<T>(1000 + k);
    }  // releases the cache
    std::vector<T> expected = samples<T>(kElements);
    for (int64_t k = 0; k < n; ++k) expected[static_cast<size_t>(5 + k)] = sample<T>(1000 + k);
    EXPECT_TRUE(expected == read_all(array, kElements)) << n << " elements";
  }
  global_free(array);
}

TEST(Caches, WriteOnly) {
  write_stretches<int64_t>();
  write_stretches<double>();
  write_stretches<bool>();
  write_stretches<Record>();
}

TEST(Caches, ReadWrite) {
  const int64_t each = 21;
  const auto array = sample_array<int64_t>(each * cores());
  on_all_cores([array] {  // each core accesses a separate range
    Incoherent<int64_t>::RW cache(array + each * mycore(), each);
    for (int64_t k = 0; k < each; ++k) cache[k] += 7;
  });
  for (int64_t k = 0; k < each * cores(); ++k) {
    EXPECT_EQ(sample<int64_t>(k) + 7, delegate::read(array + k));
  }
  global_free(array);
}

TEST(Caches, MemoryOfOneCore) {
  // The element size in memory of one core need not be a power of two.
  for (const Core core : some_cores()) {
    const auto triples =
        make_global(delegate::call(core, [] { return locale_alloc<Triple>(10); }), core);
    {
      Incoherent<Triple>::WO cache(triples, 10);
      for (int64_t k = 0; k < 10; ++k) cache[k] = sample<Triple>(k);
    }
    {
      Incoherent<Triple>::RW one(triples + 4, 1);
      one->a = -one->a;
      (*one).b = 100;
    }
    Incoherent<Triple>::RO all(triples, 10);
    for (int64_t k = 0; k < 10; ++k) {
      EXPECT_EQ(k == 4 ? (Triple{-4, 100, 16}) : sample<Triple>(k), all[k]);
    }
    delegate::call(core, [triples] { locale_free(triples.pointer()); });
  }
}

TEST(Caches, Buffer) {
  const auto array = sample_array<double>(kElements);
  double buffer[40] = {};
  {
    Incoherent<double>::RO cache(array + 3, 40, buffer);
    cache.block_until_acquired();
    EXPECT_EQ(buffer, static_cast<const double*>(cache));
    for (int64_t k = 0; k < 40; ++k) EXPECT_EQ(sample<double>(3 + k), buffer[k]);
  }
  for (int k = 0; k < 40; ++k) buffer[k] = k;
  { Incoherent<double>::WO cache(array + 1, 20, buffer); }  // writes the buffer back
  for (int64_t k = 0; k < 20; ++k) EXPECT_EQ(static_cast<double>(k), delegate::read(array + 1 + k));
  EXPECT_EQ(sample<double>(21), delegate::read(array + 21));
  { Incoherent<double>::RW none(array, 1, nullptr); }
  EXPECT_EQ(sample<double>(0), delegate::read(array));
  global_free(array);
}

TEST(Caches, StartAcquire) {
  const auto array = sample_array<int64_t>(kElements);
  on_all_cores([array] {
    // All caches are being acquired at the same time.
    std::vector<std::unique_ptr<Incoherent<int64_t>::RO>> caches;
    for (int64_t k = 0; k < kElements; k += 10) {
      caches.emplace_back(new Incoherent<int64_t>::RO(array + k, 10));
      caches.back()->start_acquire();
    }
    int64_t next = 0;
    for (const auto& cache : caches) {
      for (int64_t k = 0; k < 10; ++k) EXPECT_EQ(sample<int64_t>(next++), (*cache)[k]);
    }
  });
  global_free(array);
}

TEST(Caches, BlockUntilAcquired) {
  const auto array = sample_array<int64_t>(kElements);
  Incoherent<int64_t>::RO cache(array, kElements);
  cache.block_until_acquired();
  delegate::write(array, 1);  // not visible in the cache
  EXPECT_EQ(sample<int64_t>(0), cache[0]);
  cache.block_until_acquired();
  EXPECT_EQ(sample<int64_t>(0), cache[0]);
  global_free(array);
}

TEST(Caches, StartRelease) {
  const auto array = sample_array<int64_t>(kElements);
  Incoherent<int64_t>::WO first(array, 33);
  Incoherent<int64_t>::RW second(array + 33, 33);
  for (int64_t k = 0; k < 33; ++k) {
    first[k] = -k;
    second[k] = -k;
  }
  first.start_release();
  second.start_release();
  first.block_until_released();
  second.block_until_released();
  for (int64_t k = 0; k < 66; ++k) EXPECT_EQ(-(k % 33), delegate::read(array + k));
  global_free(array);
}

TEST(Caches, BlockUntilReleased) {
  const auto array = sample_array<int64_t>(kElements);
  Incoherent<int64_t>::RW cache(array + 7, 50);
  cache[0] = 70;
  cache.block_until_released();
  EXPECT_EQ(70, delegate::read(array + 7));
  delegate::write(array + 7, 71);
  cache.start_acquire();  // acquires a second time
  cache.block_until_acquired();
  EXPECT_EQ(71, cache[0]);
  cache.block_until_released();
  global_free(array);
}

TEST(Caches, AccessAndConversion) {
  const auto array = sample_array<Record>(9);
  Incoherent<Record>::RW cache(array, 9);
  const Record* const plain = cache;
  EXPECT_EQ(sample<Record>(8), plain[8]);
  EXPECT_EQ(sample<Record>(0), *cache);
  EXPECT_EQ(sample<Record>(3), cache[3]);
  (*cache).weight = 12;
  cache[1].weight = 13;
  Record* const changed = cache;
  changed[2].weight = 14;
  cache.block_until_released();
  for (int64_t k = 0; k < 3; ++k) {
    EXPECT_EQ(12.0 + static_cast<double>(k), delegate::read(array + k).weight);
  }
  global_free(array);
}

TEST(Caches, Reset) {
  const auto array = sample_array<int64_t>(kElements);
  {
    Incoherent<int64_t>::RO reads;
    Incoherent<int64_t>::WO writes(array, 1);
    for (int64_t k = 0; k + 5 < kElements; k += 5) {
      reads.reset(array + k, 5);
      EXPECT_EQ(sample<int64_t>(k + 4), reads[4]);
      writes.reset(array + k, 1);  // releases the previous element
      *writes = -k;
      if (k > 0) {
        EXPECT_EQ(5 - k, delegate::read(array + k - 5));
      }
    }
  }  // releases the last element
  global_free(array);
}

}  // namespace
