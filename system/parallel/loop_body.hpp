#pragma once

/// The forms of a loop body, and their conversion to the form that a loop calls.

#include "system/base/traits.hpp"
#include "system/global/local_span.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {
/// Runs a range of indices with a body over indices.
template <class F, bool TakesRange = is_callable<F, int64_t, int64_t>::value>
struct IndexForm {
  static_assert(is_callable<F, int64_t>::value,
                "the body of a loop over indices takes (int64_t i) or (int64_t first, int64_t "
                "count)");
  static void run(F& body, int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; ++i) body(i);
  }
};

template <class F>
struct IndexForm<F, true> {
  static void run(F& body, int64_t first, int64_t count) { body(first, count); }
};

/// Converts a body over indices from `start` on to the form (first, count), counted from 0.
template <class F>
struct IndexBody {
  F body;
  int64_t start;
  void operator()(int64_t first, int64_t count) { IndexForm<F>::run(body, start + first, count); }
};

enum class ElementForm { Element, IndexAndElement, Range, None };

template <class T, class F>
struct element_form
    : std::integral_constant<ElementForm,
                             is_callable<F, T&>::value            ? ElementForm::Element
                             : is_callable<F, int64_t, T&>::value ? ElementForm::IndexAndElement
                             : is_callable<F, int64_t, int64_t, T*>::value ? ElementForm::Range
                                                                           : ElementForm::None> {};

/// Converts the forms of an array body to (first, count), counted along this core's part of the
/// array.
template <class T, class F, ElementForm>
struct ElementBody;

template <class T, class F>
struct ElementBody<T, F, ElementForm::Element> {
  F body;
  LocalSpan<T> mine;
  void operator()(int64_t first, int64_t count) {
    T* end = mine.begin() + first + count;
    for (T* element = mine.begin() + first; element != end; ++element) body(*element);
  }
};

/// Calls `visit(index, count, elements)` for each piece of this core's part that is contiguous in
/// the array: a block, or the whole part on a single core.
template <class T, class Visit>
void for_each_piece(const LocalSpan<T>& mine, int64_t first, int64_t count, Visit visit) {
  constexpr int64_t kPerBlock = block_size / static_cast<int64_t>(sizeof(T));
  if (count <= 0) return;
  T* element = mine.begin() + first;
  int64_t index = mine.index_of(element);
  const uint64_t in_block = reinterpret_cast<uint64_t>(element) % block_size / sizeof(T);
  int64_t piece = cores() == 1 ? count : kPerBlock - static_cast<int64_t>(in_block);
  const int64_t of_others = (cores() - 1) * kPerBlock;  // elements between two blocks of this core
  while (count > piece) {
    visit(index, piece, element);
    index += piece + of_others;
    element += piece;
    count -= piece;
    piece = kPerBlock;
  }
  visit(index, count, element);
}

template <class T, class F>
struct ElementBody<T, F, ElementForm::IndexAndElement> {
  F body;
  LocalSpan<T> mine;
  void operator()(int64_t first, int64_t count) {
    F& each = body;
    for_each_piece(mine, first, count, [&each](int64_t index, int64_t n, T* elements) {
      for (int64_t k = 0; k < n; ++k) each(index + k, elements[k]);
    });
  }
};

template <class T, class F>
struct ElementBody<T, F, ElementForm::Range> {
  F body;
  LocalSpan<T> mine;
  void operator()(int64_t first, int64_t count) {
    F& each = body;
    for_each_piece(mine, first, count,
                   [&each](int64_t index, int64_t n, T* elements) { each(index, n, elements); });
  }
};

}  // namespace detail
}  // namespace Grappa
