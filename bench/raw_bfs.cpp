#include "bench/raw_bfs.hpp"

#include "system/base/compiler.hpp"

#include <algorithm>
#include <utility>

namespace raw {
namespace {

// Thresholds for a change of direction. The search changes to bottom-up if the frontier has more
// than 1/kAlpha of the edges that have not been read, and back to top-down if the frontier shrinks
// and has less than 1/kBeta of the vertices. The paper uses 14 and 24; later code of the authors
// uses these.
constexpr int64_t kAlpha = 15;
constexpr int64_t kBeta = 18;

constexpr int kWordBits = 64;

// Prefetch distance. With the prefetches of open_vertices(), a search of scale 20 by one thread on
// a busy Sapphire Rapids takes 24-28 ms instead of 37-40 ms (means of 8 roots).
constexpr int64_t kListsAhead = 16;
constexpr int64_t kParentsAhead = 16;

// Number of vertices that a thread takes at a time.
constexpr int64_t kQueueChunk = 64;
constexpr int64_t kWordChunk = 64;

}  // namespace

Searcher::Searcher(const Csr* graph, int threads)
    : graph_(graph),
      threads_(threads),
      words_((graph->nv() + kWordBits - 1) / kWordBits),
      unreached_(words_ * kWordBits),
      parents_(words_ * kWordBits),
      queue_(graph->nv()),
      frontier_(words_),
      next_(words_) {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < unreached_.size(); ++v) {
    unreached_[v] = ~Vertex(v < graph_->nv() ? graph_->degree(Vertex(v)) : 0);
  }
  // The kernel allocates memory on first touch, which must not happen in the first search.
  reset_parents();
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < queue_.size(); ++v) queue_[v] = 0;
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t word = 0; word < words_; ++word) frontier_[word] = next_[word] = 0;
}

void Searcher::reset_parents() {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < parents_.size(); ++v) parents_[v] = unreached_[v];
}

// Claims the neighbours of `u` that have no parent. Returns the sum of their degrees.
int64_t Searcher::expand(Vertex u, Found* found) {
  int64_t degrees = 0;
  for (const Vertex *v = graph_->begin(u), *stop = graph_->end(u); v != stop; ++v) {
    if (stop - v > kParentsAhead) GRAPPA_PREFETCH_TO_READ(parents_.data() + v[kParentsAhead]);
    // Relaxed: a parent is only a number, and all dependent accesses are after the barrier.
    Vertex* const parent = parents_.data() + *v;
    Vertex seen = __atomic_load_n(parent, __ATOMIC_RELAXED);
    if (seen >= 0) continue;
    if (__atomic_compare_exchange_n(parent, &seen, u, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      degrees += ~seen;
      found->add(*v);
    }
  }
  return degrees;
}

// Expands the frontier in the queue; the new vertices become the next frontier. Returns the sum of
// their degrees.
int64_t Searcher::step_down() {
  const int64_t begin = frontier_begin_, end = frontier_end_;
  int64_t degrees = 0;
#pragma omp parallel num_threads(threads_) reduction(+ : degrees)
  {
    Found found(queue_.data(), &frontier_end_);
#pragma omp for schedule(dynamic, kQueueChunk) nowait
    for (int64_t i = begin; i < end; ++i) {
      if (i + 2 * kListsAhead < end) graph_->prefetch_place(queue_[i + 2 * kListsAhead]);
      if (i + kListsAhead < end) GRAPPA_PREFETCH_TO_READ(graph_->begin(queue_[i + kListsAhead]));
      degrees += expand(queue_[i], &found);
    }
  }
  frontier_begin_ = end;
  return degrees;
}

// Returns the vertices of the word that have neighbours but no parent. Prefetches the starts of
// their lists.
Searcher::Word Searcher::open_vertices(int64_t word) const {
  const Vertex* const parents = parents_.data() + word * kWordBits;
  Word open = 0;
  for (int bit = 0; bit < kWordBits; ++bit) open |= Word(parents[bit] < ~Vertex(0)) << bit;
  for (Word left = open; left != 0; left &= left - 1) {
    GRAPPA_PREFETCH_TO_READ(graph_->begin(Vertex(word * kWordBits + __builtin_ctzll(left))));
  }
  return open;
}

// Returns the open vertices that have found a parent in the frontier.
Searcher::Word Searcher::adopt(int64_t word, Word open) {
  const Word* const frontier = frontier_.data();
  Word found = 0;
  for (; open != 0; open &= open - 1) {
    const int bit = __builtin_ctzll(open);
    const Vertex v = Vertex(word * kWordBits + bit);
    for (const Vertex *u = graph_->begin(v), *stop = graph_->end(v); u != stop; ++u) {
      if ((frontier[*u / kWordBits] >> (*u % kWordBits) & 1) == 0) continue;
      parents_[v] = *u;
      found |= Word(1) << bit;
      break;
    }
  }
  return found;
}

// Replaces the frontier in the bitmap by the frontier of the next level. Returns the size of the
// new frontier. A thread owns whole words and the parents of the vertices in these words.
int64_t Searcher::step_up() {
  int64_t reached = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_) reduction(+ : reached)
  for (int64_t first = 0; first < words_; first += kWordChunk) {
    const int64_t last = std::min(words_, first + kWordChunk);
    Word open = open_vertices(first);
    for (int64_t word = first; word < last; ++word) {
      const Word ahead = word + 1 < last ? open_vertices(word + 1) : 0;
      next_[word] = adopt(word, open);
      reached += __builtin_popcountll(next_[word]);
      open = ahead;
    }
  }
  std::swap(frontier_, next_);
  return reached;
}

void Searcher::bitmap_from_queue() {
#pragma omp parallel num_threads(threads_)
  {
#pragma omp for schedule(static)
    for (int64_t word = 0; word < words_; ++word) frontier_[word] = 0;
#pragma omp for schedule(static)
    for (int64_t i = frontier_begin_; i < frontier_end_; ++i) {
      const Vertex v = queue_[i];
      __atomic_fetch_or(&frontier_[v / kWordBits], Word(1) << (v % kWordBits), __ATOMIC_RELAXED);
    }
  }
}

void Searcher::queue_from_bitmap() {
  frontier_begin_ = 0;
  frontier_end_ = 0;
#pragma omp parallel num_threads(threads_)
  {
    Found found(queue_.data(), &frontier_end_);
#pragma omp for schedule(static) nowait
    for (int64_t word = 0; word < words_; ++word) {
      for (Word left = frontier_[word]; left != 0; left &= left - 1) {
        found.add(Vertex(word * kWordBits + __builtin_ctzll(left)));
      }
    }
  }
}

void Searcher::search_bottom_up() {
  bitmap_from_queue();
  int64_t size = frontier_end_ - frontier_begin_;
  int64_t size_before = 0;
  do {
    size_before = size;
    size = step_up();
  } while (size >= size_before || size > graph_->nv() / kBeta);
  queue_from_bitmap();
}

const Vertex* Searcher::search(Vertex root, Direction direction) {
  reset_parents();
  parents_[root] = root;
  queue_[0] = root;
  frontier_begin_ = 0;
  frontier_end_ = 1;
  int64_t degrees = graph_->degree(root);
  int64_t edges_left = graph_->entries();
  while (frontier_begin_ != frontier_end_) {
    if (direction == Direction::Optimising && degrees > edges_left / kAlpha) {
      search_bottom_up();
      degrees = 1;  // few vertices are left, so the search stays top-down
    } else {
      edges_left -= degrees;
      degrees = step_down();
    }
  }
  return parents_.data();
}

}  // namespace raw
