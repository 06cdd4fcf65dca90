#pragma once

/// The requests for different keys that wait in a proxy, indexed by key, and later sorted by owner.

#include "structures/detail/key_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// Request: a struct with a member `key`. Requests are numbered in the order of arrival.
template <class Request, class Hash, class Equal>
class KeyBatch {
 public:
  size_t size() const { return requests_.size(); }
  Request& operator[](size_t i) { return requests_[i]; }

  /// Returns the number of the request with this key. If size() has grown, this is the new request.
  size_t add(const Request& request) {
    if (2 * (requests_.size() + 1) > slots_.size()) grow();
    const uint64_t hash = KeyHash<decltype(request.key), Hash>()(request.key);
    size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const size_t i = slots_[slot] - 1;
      if (hashes_[i] == hash && Equal()(requests_[i].key, request.key)) return i;
    }
    requests_.push_back(request);
    hashes_.push_back(hash);
    slots_[slot] = static_cast<uint32_t>(requests_.size());
    return requests_.size() - 1;
  }

  /// Sorts the requests by owner. Then the requests for core c have the numbers order(i), for i
  /// from first(c) to first(c + 1) - 1.
  void deal() {
    const auto n = static_cast<size_t>(cores());
    firsts_.assign(n + 1, 0);
    order_.resize(requests_.size());
    for (const uint64_t hash : hashes_) ++firsts_[owner(hash)];
    uint32_t end = 0;
    for (uint32_t& first : firsts_) first = end += first;
    for (size_t i = requests_.size(); i-- > 0;) {
      order_[--firsts_[owner(hashes_[i])]] = static_cast<uint32_t>(i);
    }
  }

  size_t first(Core core) const { return firsts_[static_cast<size_t>(core)]; }
  size_t count(Core core) const {
    return firsts_[static_cast<size_t>(core) + 1] - firsts_[static_cast<size_t>(core)];
  }
  size_t order(size_t i) const { return order_[i]; }

 private:
  static size_t owner(uint64_t hash) { return static_cast<size_t>(owner_of_hash(hash)); }

  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), 0);
    for (size_t i = 0; i < hashes_.size(); ++i) {
      size_t slot = hashes_[i] & (slots_.size() - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<uint32_t>(i + 1);
    }
  }

  std::vector<Request> requests_;
  std::vector<uint64_t> hashes_;  // mixed by KeyHash
  std::vector<uint32_t> slots_;   // request number plus 1, or 0 if free; the size is a power of two
  std::vector<uint32_t> firsts_;
  std::vector<uint32_t> order_;
};

}  // namespace detail
}  // namespace Grappa
