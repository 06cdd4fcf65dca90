#include "bench/raw_csr.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <omp.h>
#include <parallel/algorithm>

namespace raw {
namespace {

using Grappa::TupleEdge;

// The keys of a block and a copy of these keys should fit into the second-level cache. With the
// usual 32 neighbours for each vertex, a block has about 64K keys.
constexpr int kLogBlock = 11;

// The counters of a digit should fit into the first-level cache.
constexpr int kDigitBits = 11;
constexpr uint64_t kDigits = uint64_t(1) << kDigitBits;

// One end of an edge: (vertex within its block) << bits | neighbour. Sorted keys are the lists.
typedef uint64_t Key;

int bits_of(uint64_t largest) {
  int bits = 1;
  while (largest >> bits != 0) ++bits;
  return bits;
}

// The ends of all edges, grouped by block.
class Ends {
 public:
  Ends(int64_t nv, const TupleEdge* edges, int64_t n, int threads)
      : bits_(bits_of(uint64_t(nv - 1))),
        blocks_(((nv - 1) >> kLogBlock) + 1),
        keys_(2 * n),
        begin_(size_t(blocks_) + 1) {
    partition(edges, n, threads);
  }

  int bits() const { return bits_; }
  int64_t blocks() const { return blocks_; }
  Key* begin(int64_t block) { return keys_.data() + begin_[size_t(block)]; }
  Key* end(int64_t block) { return keys_.data() + begin_[size_t(block) + 1]; }
  int64_t largest_block() const {
    int64_t largest = 0;
    for (size_t b = 0; b < size_t(blocks_); ++b) {
      largest = std::max(largest, begin_[b + 1] - begin_[b]);
    }
    return largest;
  }

 private:
  void partition(const TupleEdge* edges, int64_t n, int threads);
  void find_places(std::vector<std::vector<int64_t>>* places);

  const int bits_;
  const int64_t blocks_;
  Array<Key> keys_;
  std::vector<int64_t> begin_;  // start of each block
};

// Replaces the counts of each thread and block by the index where the thread starts to write.
void Ends::find_places(std::vector<std::vector<int64_t>>* places) {
  int64_t next = 0;
  for (size_t block = 0; block < size_t(blocks_); ++block) {
    begin_[block] = next;
    for (std::vector<int64_t>& of_thread : *places) {
      next += std::exchange(of_thread[block], next);
    }
  }
  begin_[size_t(blocks_)] = next;
}

void Ends::partition(const TupleEdge* edges, int64_t n, int threads) {
  constexpr int64_t kWithinBlock = (int64_t(1) << kLogBlock) - 1;
  std::vector<std::vector<int64_t>> places;
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    places.resize(size_t(omp_get_num_threads()));
    // Self-loops are skipped here.
    std::vector<int64_t> mine(static_cast<size_t>(blocks_));
#pragma omp for schedule(static)
    for (int64_t i = 0; i < n; ++i) {
      const int64_t counted = edges[i].v0 != edges[i].v1;
      mine[size_t(edges[i].v0 >> kLogBlock)] += counted;
      mine[size_t(edges[i].v1 >> kLogBlock)] += counted;
    }
    places[size_t(omp_get_thread_num())] = std::move(mine);
#pragma omp barrier
#pragma omp single
    find_places(&places);
    int64_t* const place = places[size_t(omp_get_thread_num())].data();
    const auto put = [this, place](int64_t v, int64_t neighbour) {
      keys_[place[v >> kLogBlock]++] = Key(v & kWithinBlock) << bits_ | Key(neighbour);
    };
#pragma omp for schedule(static)  // each thread gets the same edges as above
    for (int64_t i = 0; i < n; ++i) {
      const TupleEdge edge = edges[i];
      if (edge.v0 == edge.v1) continue;
      put(edge.v0, edge.v1);
      put(edge.v1, edge.v0);
    }
  }
}

// Sorts by radix sort, lowest digit first. `other` is as large as `keys`. Returns the sorted array,
// which is `keys` or `other`.
Key* sort(Key* keys, Key* other, int64_t n, int bits) {
  for (int shift = 0; shift < bits; shift += kDigitBits) {
    int64_t place[kDigits] = {};
    for (int64_t i = 0; i < n; ++i) ++place[keys[i] >> shift & (kDigits - 1)];
    int64_t next = 0;
    for (int64_t& p : place) next += std::exchange(p, next);
    for (int64_t i = 0; i < n; ++i) other[place[keys[i] >> shift & (kDigits - 1)]++] = keys[i];
    std::swap(keys, other);
  }
  return keys;
}

// Sorts each block and removes duplicates; the remaining keys are at the start of the block.
// Returns the number of remaining keys in all earlier blocks, for each block.
std::vector<int64_t> sort_blocks(Ends* ends, int threads) {
  std::vector<int64_t> before(size_t(ends->blocks()) + 1);
  const int64_t largest = ends->largest_block();
#pragma omp parallel num_threads(threads)
  {
    const std::unique_ptr<Key[]> other(new Key[size_t(largest)]);
#pragma omp for schedule(dynamic, 1)
    for (int64_t block = 0; block < ends->blocks(); ++block) {
      Key* const begin = ends->begin(block);
      const int64_t size = ends->end(block) - begin;
      Key* const sorted = sort(begin, other.get(), size, ends->bits() + kLogBlock);
      before[size_t(block) + 1] = std::unique_copy(sorted, sorted + size, begin) - begin;
    }
  }
  std::partial_sum(before.begin(), before.end(), before.begin());
  return before;
}

}  // namespace

Csr::Csr(int64_t nv, const TupleEdge* edges, int64_t n, int threads) : nv_(nv), begin_(nv + 1) {
  Ends ends(nv, edges, n, threads);
  const std::vector<int64_t> before = sort_blocks(&ends, threads);
  const Key neighbour_mask = (Key(1) << ends.bits()) - 1;
  neighbours_ = Array<Vertex>(before.back());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int64_t block = 0; block < ends.blocks(); ++block) {
    const Key* next = ends.begin(block);
    int64_t entry = before[size_t(block)];
    const int64_t stop = before[size_t(block) + 1];
    const int64_t first = block << kLogBlock;
    const int64_t last = std::min(nv, first + (int64_t(1) << kLogBlock));
    for (int64_t v = first; v < last; ++v) {
      begin_[v] = entry;
      while (entry < stop && int64_t(*next >> ends.bits()) == v - first) {
        neighbours_[entry++] = Vertex(*next++ & neighbour_mask);
      }
    }
  }
  begin_[nv] = before.back();
}

void Csr::order_by_degree(int threads) {
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads)
  for (int64_t v = 0; v < nv_; ++v) {
    std::stable_sort(neighbours_.data() + begin_[v], neighbours_.data() + begin_[v + 1],
                     [this](Vertex a, Vertex b) { return degree(a) > degree(b); });
  }
}

Csr Csr::relabelled_by_degree(int threads) const {
  typedef std::pair<int64_t, Vertex> Ranked;  // degree and number
  const Array<Ranked> order(nv_);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (Vertex v = 0; v < Vertex(nv_); ++v) order[v] = Ranked(degree(v), v);
  __gnu_parallel::sort(order.data(), order.data() + nv_, std::greater<Ranked>(),
                       __gnu_parallel::default_parallel_tag(__gnu_parallel::_ThreadIndex(threads)));
  Csr next(nv_, entries());
  const Array<Vertex> new_of_old(nv_);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (Vertex v = 0; v < Vertex(nv_); ++v) new_of_old[order[v].second] = v;
  int64_t entry = 0;
  for (Vertex v = 0; v < Vertex(nv_); ++v) {
    next.begin_[v] = std::exchange(entry, entry + order[v].first);
  }
  next.begin_[nv_] = entry;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads)
  for (Vertex v = 0; v < Vertex(nv_); ++v) {
    const Vertex old = order[v].second;
    Vertex* const list = next.neighbours_.data() + next.begin_[v];
    std::transform(begin(old), end(old), list, [&](Vertex w) { return new_of_old[w]; });
    std::sort(list, list + degree(old));
  }
  return next;
}

}  // namespace raw
