#include "bench/raw_cc_sweeps.hpp"

#include "system/base/compiler.hpp"

#include <algorithm>
#include <utility>

namespace raw {
namespace {

constexpr int64_t kWordBits = 64;

// A sweep is repeated if it doubles the set or adds at least 1/kGoodPart of the remaining vertices,
// as in apps/cc.
constexpr int64_t kGoodPart = 16;

// Number of words that a thread takes at a time. It is small, because words need unequal work.
constexpr int64_t kWordChunk = 64;

// Relaxed: a parent only moves towards the root, and bits are only set. A thread finds a missed
// update in its next sweep, which starts after a barrier.
template <class T>
T load(const T* at) {
  return __atomic_load_n(at, __ATOMIC_RELAXED);
}
template <class T>
void store(T* at, T value) {
  __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

}  // namespace

SweepingComponents::SweepingComponents(const Csr* graph, int threads)
    : graph_(graph),
      threads_(threads),
      words_((graph->nv() + kWordBits - 1) / kWordBits),
      members_(words_),
      open_(words_ + 1),
      parents_(graph->nv()) {
  begin();  // the kernel allocates memory on first touch, which must not happen in find()
  reset_parents();
}

// Empties the set, marks all vertices with neighbours as open, and selects the seed.
void SweepingComponents::begin() {
  int64_t highest = -1;
  Vertex seed = 0;
#pragma omp parallel num_threads(threads_)
  {
    int64_t own_highest = -1;
    Vertex own_seed = 0;
#pragma omp for schedule(static) nowait
    for (int64_t word = 0; word < words_; ++word) {
      const int64_t first = word * kWordBits;
      const int64_t last = std::min(graph_->nv(), first + kWordBits);
      Word open = 0;
      for (int64_t v = first; v < last; ++v) {
        const int64_t degree = graph_->degree(Vertex(v));
        open |= Word(degree != 0) << (v - first);
        if (degree > own_highest) {
          own_highest = degree;
          own_seed = Vertex(v);
        }
      }
      members_[word] = 0;
      open_[word] = open;
    }
#pragma omp critical
    if (own_highest > highest || (own_highest == highest && own_seed < seed)) {
      highest = own_highest;
      seed = own_seed;
    }
  }
  seed_ = seed;
}

// Adds the seed and its neighbours to the set. Returns the number of added vertices.
int64_t SweepingComponents::add_seed() {
  members_[seed_ / kWordBits] |= Word(1) << (seed_ % kWordBits);
  for (const Vertex *v = graph_->begin(seed_), *stop = graph_->end(seed_); v != stop; ++v) {
    members_[*v / kWordBits] |= Word(1) << (*v % kWordBits);
  }
  return 1 + graph_->degree(seed_);
}

bool SweepingComponents::joins(int64_t v) const {
  for (const Vertex *u = graph_->begin(Vertex(v)), *stop = graph_->end(Vertex(v)); u != stop; ++u) {
    if ((load(members_.data() + *u / kWordBits) >> (*u % kWordBits) & 1) != 0) return true;
  }
  return false;
}

// Prefetches the starts of the lists of the next word before reading the lists of a word.
SweepingComponents::Joined SweepingComponents::sweep_words(int64_t first, int64_t last) {
  Joined joined = {0, 0};
  open_[first] &= ~members_[first];
  for (int64_t word = first; word < last; ++word) {
    if (word + 1 < last) {
      open_[word + 1] &= ~members_[word + 1];
      for (Word ahead = open_[word + 1]; ahead != 0; ahead &= ahead - 1) {
        GRAPPA_PREFETCH_TO_READ(
            graph_->begin(Vertex((word + 1) * kWordBits + __builtin_ctzll(ahead))));
      }
    }
    Word open = open_[word];
    for (Word each = open; each != 0; each &= each - 1) {
      const Word bit = each & -each;
      if (!joins(word * kWordBits + __builtin_ctzll(each))) continue;
      store(members_.data() + word, members_[word] | bit);
      open &= ~bit;
      ++joined.members;
    }
    open_[word] = open;
    joined.open += __builtin_popcountll(open);
  }
  return joined;
}

SweepingComponents::Joined SweepingComponents::sweep() {
  int64_t members = 0, open = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_) reduction(+ : members, open)
  for (int64_t first = 0; first < words_; first += kWordChunk) {
    const Joined joined = sweep_words(first, std::min(words_, first + kWordChunk));
    members += joined.members;
    open += joined.open;
  }
  return Joined{members, open};
}

void SweepingComponents::sweep_while_it_pays() {
  for (int64_t members = add_seed();;) {
    const Joined joined = sweep();
    const bool pays = joined.members >= members || joined.members >= joined.open / kGoodPart;
    if (joined.members == 0 || joined.open == 0 || !pays) return;
    members += joined.members;
  }
}

// Members become children of the seed; every other vertex is a root.
void SweepingComponents::reset_parents() {
  const Word* const members = members_.data();
  Vertex* const parents = parents_.data();
  const Vertex seed = seed_;
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < graph_->nv(); ++v) {
    const bool member = (members[v / kWordBits] >> (v % kWordBits) & 1) != 0;
    parents[v] = member ? seed : Vertex(v);
  }
}

bool SweepingComponents::precedes(Vertex u, Vertex v) const {
  return v != seed_ && (u == seed_ || u < v);
}

// Joins the trees of two vertices. If the later of two ancestors is a root, the root is linked to
// the earlier ancestor; otherwise both are replaced by higher ancestors.
void SweepingComponents::link(Vertex u, Vertex v) {
  Vertex one = load(parents_.data() + u);
  Vertex other = load(parents_.data() + v);
  while (one != other) {
    if (precedes(other, one)) std::swap(one, other);
    Vertex above = load(parents_.data() + other);
    if (above == one) return;
    if (above == other && __atomic_compare_exchange_n(parents_.data() + other, &above, one, false,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return;
    }
    other = load(parents_.data() + above);
    one = load(parents_.data() + one);
  }
}

// An edge between two open vertices is in two lists; the later end links it.
void SweepingComponents::link_open() {
#pragma omp parallel for schedule(dynamic, kWordChunk) num_threads(threads_)
  for (int64_t word = 0; word < words_; ++word) {
    for (Word each = open_[word]; each != 0; each &= each - 1) {
      const Vertex v = Vertex(word * kWordBits + __builtin_ctzll(each));
      for (const Vertex *u = graph_->begin(v), *stop = graph_->end(v); u != stop; ++u) {
        if (precedes(*u, v) || (members_[*u / kWordBits] >> (*u % kWordBits) & 1) != 0) link(v, *u);
      }
    }
  }
}

// Makes every open vertex a child of its root. Members already are children of their root.
void SweepingComponents::flatten_open() {
#pragma omp parallel for schedule(dynamic, kWordChunk) num_threads(threads_)
  for (int64_t word = 0; word < words_; ++word) {
    for (Word each = open_[word]; each != 0; each &= each - 1) {
      const int64_t v = word * kWordBits + __builtin_ctzll(each);
      Vertex parent = load(parents_.data() + v);
      for (Vertex above = load(parents_.data() + parent); above != parent;
           above = load(parents_.data() + parent)) {
        parent = above;
      }
      store(parents_.data() + v, parent);
    }
  }
}

const Vertex* SweepingComponents::find() {
  begin();
  sweep_while_it_pays();
  reset_parents();
  link_open();
  flatten_open();
  return parents_.data();
}

}  // namespace raw
