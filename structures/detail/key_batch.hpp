#pragma once

/// The requests of a batch on a global set or map, and the cores to which they are sent.

#include "system/base/ids.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

/// The number of different requests that fill a proxy, if requests are gathered. The latency of
/// such a batch is high. With smaller batches, tasks of the core run while earlier batches are in
/// transit. Chosen with bench/scale (scale.set, 1,024 workers): 1.3 times as fast as with
/// kProxyRequests. Not measured for keys of variable length.
constexpr size_t kGatheredRequests = 256;

/// The cores to which the requests of a commit are sent. Each target is an owner. If the requests
/// are gathered, each core of this locale has two targets: as owner and as gatherer.
class Targets {
 public:
  explicit Targets(bool gathered) : gathered_(gathered) {}

  size_t count() const { return static_cast<size_t>(gathered_ ? 2 * locale_cores() : cores()); }
  size_t of(Core owner) const {
    return gathered_ ? of_gathered(owner) : static_cast<size_t>(owner);
  }
  size_t of_own_keys() const {
    return static_cast<size_t>(gathered_ ? 2 * locale_mycore() : mycore());
  }
  bool is_gatherer(size_t target) const { return gathered_ && target % 2 == 1; }
  Core core(size_t target) const {
    return gathered_ ? topology().locale_members[target / 2] : static_cast<Core>(target);
  }

 private:
  static size_t of_gathered(Core owner);

  const bool gathered_;
};

inline size_t Targets::of_gathered(Core owner) {
  const Topology& all = topology();
  const std::vector<Core>& near = all.locale_members;
  const Locale locale = all.locale_of[static_cast<size_t>(owner)];
  if (locale == all.mylocale) {
    return 2 *
           static_cast<size_t>(std::lower_bound(near.begin(), near.end(), owner) - near.begin());
  }
  // The messages of a gatherer for one locale share buffers. With few locales, such parts would be
  // unequal.
  const int part = locales() < locale_cores() ? owner : locale;
  return 2 * (static_cast<size_t>(part) % near.size()) + 1;
}

/// The memory of destroyed proxies, for later proxies. A proxy may be destroyed after the combiner
/// (FlatCombiner), so both have a copy of this object.
template <class Memory>
class SpareMemory {
 public:
  Memory take() {
    if (spare_->empty()) return Memory();
    Memory memory = std::move(spare_->back());
    spare_->pop_back();
    return memory;
  }
  void give_back(Memory&& memory) {
    if (spare_->size() < kMostSpare) spare_->push_back(std::move(memory));
  }

 private:
  enum : size_t { kMostSpare = 8 };  // not measured; few commits of a proxy are in progress
  std::shared_ptr<std::vector<Memory>> spare_ = std::make_shared<std::vector<Memory>>();
};

/// The different requests in a proxy. They are numbered in the order of arrival, indexed by hash,
/// and later sorted by target.
template <class Request>
class KeyBatch {
 public:
  size_t size() const { return requests_.size(); }
  void clear() {
    requests_.clear();
    hashes_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
  }
  Request& operator[](size_t i) { return requests_[i]; }

  /// Returns the number of the request with this hash for which `is_equal(request)` is true.
  /// Otherwise adds `request`, and returns its number. The index uses the low bits of the hashes.
  template <class IsEqual>
  size_t add(const Request& request, uint64_t hash, const IsEqual& is_equal) {
    if (2 * (requests_.size() + 1) > slots_.size()) grow();
    size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const size_t i = slots_[slot] - 1;
      if (hashes_[i] == hash && is_equal(requests_[i])) return i;
    }
    requests_.push_back(request);
    hashes_.push_back(hash);
    slots_[slot] = static_cast<uint32_t>(requests_.size());
    return requests_.size() - 1;
  }

  /// Sorts the requests by target, for count() and for_target(). `owner_of(request, hash)` is the
  /// owner of the key.
  template <class OwnerOf>
  void deal(const Targets& targets, const OwnerOf& owner_of) {
    firsts_.assign(targets.count() + 1, 0);
    order_.resize(requests_.size());
    const auto target_of = [&](size_t i) { return targets.of(owner_of(requests_[i], hashes_[i])); };
    for (size_t i = 0; i < requests_.size(); ++i) ++firsts_[target_of(i)];
    uint32_t end = 0;
    for (uint32_t& first : firsts_) first = end += first;
    for (size_t i = requests_.size(); i-- > 0;) {
      order_[--firsts_[target_of(i)]] = static_cast<uint32_t>(i);
    }
  }

  size_t count(size_t target) const { return firsts_[target + 1] - firsts_[target]; }

  /// Calls `visit(request)` for each request with this target.
  template <class Visit>
  void for_target(size_t target, const Visit& visit) {
    const uint32_t* const order = order_.data() + firsts_[target];
    for (size_t i = 0, n = count(target); i < n; ++i) visit(requests_[order[i]]);
  }

 private:
  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), 0);
    for (size_t i = 0; i < hashes_.size(); ++i) {
      size_t slot = hashes_[i] & (slots_.size() - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<uint32_t>(i + 1);
    }
  }

  std::vector<Request> requests_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> slots_;   // request number plus 1, or 0 if free; the size is a power of two
  std::vector<uint32_t> order_;   // numbers of the requests, by target
  std::vector<uint32_t> firsts_;  // for each target, its first index in order_
};

}}  // namespace Grappa::detail
