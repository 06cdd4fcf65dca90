#pragma once

/// Copies of a value of each distinct neighbour of this core's vertices, such as its label. If
/// lists name a neighbour repeatedly, each core still fetches its value only once.
///
/// The copies are in the order of slots and without gaps. Two reads find a copy: a word of the
/// bitmap of neighbours, with the number of earlier copies, and the copy (G. Jacobson,
/// "Space-efficient Static Trees and Graphs", FOCS 1989).

#include <Grappa.hpp>

#include "system/base/compiler.hpp"

#include <cstdint>
#include <vector>

namespace apps {

template <class T>
class NeighbourValues {
 public:
  /// `neighbours` is a bitmap over all slots (VertexLayout) of the graph.
  explicit NeighbourValues(const std::vector<uint64_t>& neighbours) {
    uint64_t copies = 0;
    index_.reserve(neighbours.size());
    for (const uint64_t word : neighbours) {
      index_.push_back(Word{word, copies});
      copies += static_cast<uint64_t>(__builtin_popcountll(word));
    }
    copies_.resize(static_cast<size_t>(copies));
  }

  /// Copies `value(v)` of each neighbour v, a vertex of the graph. From:
  /// task; each core calls this function for its own object. Suspends: until all values have
  /// arrived. Messages: 2 for each neighbour that another core owns.
  template <class Vertex, T (*value)(const Vertex&)>
  void fetch(const Grappa::VertexArray<Vertex>& vertices) {
    Grappa::finish([this, vertices] {
      const size_t words_of_core = index_.size() / static_cast<size_t>(Grappa::cores());
      T* copy = copies_.data();
      for (Grappa::Core owner = 0; owner < Grappa::cores(); ++owner) {
        Vertex* v = vertices.localize(owner);
        const Word* word = &index_[static_cast<size_t>(owner) * words_of_core];
        for (const Word* const end = word + words_of_core; word != end; ++word, v += 64) {
          for (uint64_t each = word->neighbours; each != 0; each &= each - 1, ++copy) {
            fetch_one<Vertex, value>(owner, v + __builtin_ctzll(each), copy);
          }
        }
      }
    });
  }

  /// The copy of the value of a neighbour.
  const T& operator[](uint64_t slot) const {
    const Word& word = index_[static_cast<size_t>(slot / 64)];
    const uint64_t lower = (uint64_t{1} << (slot % 64)) - 1;
    return copies_[static_cast<size_t>(word.before) +
                   static_cast<size_t>(__builtin_popcountll(word.neighbours & lower))];
  }

  static constexpr size_t kBatch = 64;  // not measured
  struct Entry {
    uint64_t slot;
    int64_t tag;
    T value;
  };

  /// Reads values in batches. All memory of a batch is prefetched before its first value is read.
  template <class Body>
  class Reader {
   public:
    Reader(const NeighbourValues& values, Body body) : values_(values), body_(body) {}

    /// Adds a neighbour to the batch. A full batch is flushed.
    void add(uint64_t slot, int64_t tag) {
      GRAPPA_PREFETCH_TO_READ(&values_.index_[static_cast<size_t>(slot / 64)]);
      batch_[size_].slot = slot;
      batch_[size_].tag = tag;
      if (++size_ == kBatch) flush();
    }

    /// Reads the values of the batch, and calls `body(const Entry*, size_t n)`, with n <= kBatch.
    void flush() {
      for (size_t i = 0; i < size_; ++i) GRAPPA_PREFETCH_TO_READ(&values_[batch_[i].slot]);
      for (size_t i = 0; i < size_; ++i) batch_[i].value = values_[batch_[i].slot];
      body_(batch_, size_);
      size_ = 0;
    }

   private:
    const NeighbourValues& values_;
    Body body_;
    Entry batch_[kBatch];
    size_t size_ = 0;
  };

  template <class Body>
  Reader<Body> reader(Body body) const {
    return Reader<Body>(*this, body);
  }

 private:
  struct Word {
    uint64_t neighbours, before;  // bits of 64 slots that have a copy; number of earlier copies
  };

  template <class Vertex, T (*value)(const Vertex&)>
  static void fetch_one(Grappa::Core owner, Vertex* vertex, T* copy) {
    if (owner == Grappa::mycore()) {
      *copy = value(*vertex);
      return;
    }
    const Grappa::GlobalAddress<T> answer = Grappa::make_global(copy);
    Grappa::delegate::call<Grappa::async>(Grappa::make_global(vertex, owner), [answer](Vertex& v) {
      Grappa::delegate::write<Grappa::async>(answer, value(v));
    });
  }

  std::vector<Word> index_;
  std::vector<T> copies_;
};

}  // namespace apps
