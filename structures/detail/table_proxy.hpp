#pragma once

/// Combines the writes and lookups of one core's tasks on a global set or map.
///
/// Equal requests are merged: writes of the same key and kind, and lookups of the same key. A
/// merged request still waits for the commit, since a later operation of its task must not overtake
/// it. All callers wait, so a commit may execute the requests in any order. Each owner gets one
/// message. Its answer is for the first of merged writes. The other writes find an existing key.
///
///     request: | lookups: keys | header, writes of one kind | header, writes of the next | ...
///     answer:  | one bit for each write, then for each lookup | values of the keys found

#include "structures/combining.hpp"
#include "structures/detail/element_store.hpp"
#include "structures/detail/known_keys.hpp"
#include "structures/detail/owner_table.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/units.hpp"
#include "system/sync/completion_event.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

constexpr size_t kPartAlignment = 16;  // alignment of the parts of requests and answers

/// Appends `bytes` zero bytes at a multiple of kPartAlignment and returns their address.
inline char* add_part(std::vector<char>* parcel, size_t bytes) {
  const size_t at = align_up(parcel->size(), kPartAlignment);
  parcel->resize(at + bytes);
  return parcel->data() + at;
}

/// Skips the next part, which has `count` elements, and returns its address.
template <class T>
const T* take_part(const char** next, size_t count) {
  const T* const part = reinterpret_cast<const T*>(*next);
  *next += align_up(count * sizeof(T), kPartAlignment);
  return part;
}

/// The requests for different keys in a proxy. They are numbered in the order of arrival, indexed
/// by key, and later sorted by owner. Request is a struct with a member `key`.
template <class Request, class Hash, class Equal>
class KeyBatch {
 public:
  size_t size() const { return requests_.size(); }
  void clear() {
    requests_.clear();
    hashes_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
  }
  Request& operator[](size_t i) { return requests_[i]; }

  /// Returns the number of the request with this key. If there was none, adds `request`.
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

  /// Sorts the requests by owner, for count() and for_owner().
  void deal() {
    firsts_.assign(static_cast<size_t>(cores()) + 1, 0);
    order_.resize(requests_.size());
    for (const uint64_t hash : hashes_) ++firsts_[owner(hash)];
    uint32_t end = 0;
    for (uint32_t& first : firsts_) first = end += first;
    for (size_t i = requests_.size(); i-- > 0;) {
      order_[--firsts_[owner(hashes_[i])]] = static_cast<uint32_t>(i);
    }
  }

  size_t count(Core core) const {
    return firsts_[static_cast<size_t>(core) + 1] - firsts_[static_cast<size_t>(core)];
  }

  /// Calls `visit(request)` for each request of this owner.
  template <class Visit>
  void for_owner(Core core, const Visit& visit) {
    const uint32_t* const order = order_.data() + firsts_[static_cast<size_t>(core)];
    for (size_t i = 0, n = count(core); i < n; ++i) visit(requests_[order[i]]);
  }

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
  std::vector<uint32_t> order_;   // numbers of the requests, by owner
  std::vector<uint32_t> firsts_;  // for each owner, its first index in order_
};

template <class K, class V, class Hash, class Equal>
class TableProxy : public FCProxy {
  typedef detail::Cells<K, V> Cells;
  typedef TablePart<K, V, Hash, Equal> Part;
  struct Requests;

 public:
  typedef typename Cells::Kind Kind;
  typedef typename Cells::Write Write;

  /// The memory of destroyed proxies, for later proxies. A proxy may be destroyed after the
  /// combiner (FlatCombiner), so both own this object.
  typedef std::shared_ptr<std::vector<Requests>> Spare;

  static Spare make_spare() { return std::make_shared<std::vector<Requests>>(); }

  /// `part` has the same address on every core.
  TableProxy(Part* part, const Spare& spare) : part_(part), spare_(spare) {
    if (spare->empty()) return;
    requests_ = std::move(spare->back());
    spare->pop_back();
  }
  ~TableProxy() override {
    requests_.clear();
    spare_->push_back(std::move(requests_));
  }

  bool write(const Kind& kind, const Write& write) {
    KindBatch& batch = batch_of(kind);
    const size_t i = batch.requests.size();
    const bool merged = merge(&batch, write);
    wait();
    return !merged && batch.requests[i].answer;
  }

  bool lookup(const K& key, void* place) {
    const size_t n = requests_.lookups.size();
    const size_t i = requests_.lookups.add(Lookup{key, 0, false});
    if (requests_.lookups.size() == n) ++structure_counters::duplicates;
    wait();
    if (!requests_.lookups[i].answer) return false;
    if (Cells::kValueBytes != 0) {
      std::memcpy(place, requests_.values.data() + requests_.lookups[i].value * Cells::kValueBytes,
                  Cells::kValueBytes);
    }
    return true;
  }

  void sync() override {
    requests_.lookups.deal();
    for (KindBatch& batch : requests_.writes) batch.requests.deal();
    std::vector<char>& parcel = requests_.parcel;
    std::vector<Core>& far = requests_.far_owners;
    far.clear();
    for (int distance = 1; distance < cores(); ++distance) {  // cores start with different owners
      const Core owner = static_cast<Core>((mycore() + distance) % cores());
      const Request request = make_request(owner, &parcel);
      if (parcel.empty()) continue;
      answered_.enroll();
      ++structure_counters::owner_messages;
      send_message(owner, unchecked(request), parcel.data(), parcel.size());
      if (locale_of(owner) == mylocale()) {
        flush_to(owner, FlushCause::Asked);
      } else {
        far.push_back(owner);
      }
    }
    // With relays, owners in other locales share buffers.
    for (const Core owner : far) flush_to(owner, FlushCause::Asked);
    const Request request = make_request(mycore(), &parcel);
    if (!parcel.empty()) {
      answered_.enroll();
      take_answer(mycore(), request.execute(parcel.data()).data());
    }
    answered_.wait(WaitReason(WaitReason::Kind::Transfer));
  }

  bool is_full() const override {  // waiting callers of merged requests also take memory
    return n_keys_ + requests_.lookups.size() >= kProxyRequests ||
           waiting_requests() >= 64 * kProxyRequests;
  }

 private:
  struct WriteRequest : Write {
    explicit WriteRequest(const Write& write) : Write(write) {}
    bool answer = false;
  };
  struct KindBatch {
    explicit KindBatch(const Kind& its_kind) : kind(its_kind) {}
    Kind kind;
    KeyBatch<WriteRequest, Hash, Equal> requests;
  };
  struct Lookup {
    K key;
    uint32_t value;  // index of the value in `values`, if the key was found
    bool answer;
  };
  struct Header {
    Kind kind;
    uint32_t writes;
  };
  struct Requests {
    std::list<KindBatch> writes;  // one batch for each kind
    KeyBatch<Lookup, Hash, Equal> lookups;
    std::vector<char> values;  // of successful lookups
    std::vector<char> parcel;
    std::vector<Core> far_owners;  // with requests, in other locales

    void clear() {
      if (writes.size() > kKindsKept) writes.clear();
      for (KindBatch& batch : writes) batch.requests.clear();
      lookups.clear();
      values.clear();
    }
  };
  enum : size_t { kKindsKept = 4 };

  /// The message to an owner. A parcel follows it as payload.
  struct Request {
    Part* part;
    TableProxy* proxy;
    Core caller;
    uint32_t lookups;
    uint32_t kinds;
    uint32_t writes;  // of all kinds
    bool may_cache;   // another core may cache the keys

    void operator()(void* parcel, size_t) const {
      const std::vector<char>& answer = execute(static_cast<const char*>(parcel));
      TableProxy* const asking = proxy;
      const Core owner = mycore();
      const auto take = [asking, owner](void* bits, size_t) { asking->take_answer(owner, bits); };
      send_latency_critical(caller, take, answer.data(), answer.size());
    }

    // Returns the answer, which is valid until the next call.
    const std::vector<char>& execute(const char* parcel) const {
      static std::vector<char> answer;
      // Reserves space for the values of all lookups. The end of the function removes unused space.
      const size_t bit_bytes = align_up(div_up(writes + lookups, 8), kPartAlignment);
      answer.assign(bit_bytes + lookups * Cells::kValueBytes, 0);
      char* const bits = answer.data();
      size_t n = 0;
      const auto add_bit = [&n, bits](bool bit) {
        bits[n / 8] = static_cast<char>(bits[n / 8] | int{bit} << n % 8);
        ++n;
      };
      auto& table = part->table;
      auto* const known = may_cache ? &part->known : nullptr;
      const K* const keys = take_part<K>(&parcel, lookups);
      for (uint32_t kind = 0; kind < kinds; ++kind) {
        const Header& header = *take_part<Header>(&parcel, 1);
        const Write* const batch = take_part<Write>(&parcel, header.writes);
        table.for_each_key(
            header.writes, [batch](size_t i) -> const K& { return batch[i].key; },
            [&](size_t i) {
              add_bit(Cells::write(table, header.kind, batch[i]));
              if (known != nullptr) known->mark(batch[i].key);
            });
      }
      char* value = bits + bit_bytes;
      table.for_each_key(
          lookups, [keys](size_t i) -> const K& { return keys[i]; },
          [&](size_t i) {
            const bool found = Cells::read(table, keys[i], value);
            if (found) value += Cells::kValueBytes;
            if (found && known != nullptr) known->mark(keys[i]);
            add_bit(found);
          });
      answer.resize(static_cast<size_t>(value - bits));
      return answer;
    }
  };

  KindBatch& batch_of(const Kind& kind) {
    for (KindBatch& batch : requests_.writes) {
      if (batch.kind == kind) return batch;
    }
    requests_.writes.emplace_back(kind);
    return requests_.writes.back();
  }

  bool merge(KindBatch* batch, const Write& write) {
    const size_t n = batch->requests.size();
    const size_t i = batch->requests.add(WriteRequest(write));
    if (batch->requests.size() != n) {
      ++n_keys_;
      return false;
    }
    Cells::merge(batch->kind, &batch->requests[i], write);
    ++structure_counters::duplicates;
    return true;
  }

  // Writes the requests for this owner to the parcel, which is empty if there are none.
  Request make_request(Core owner, std::vector<char>* parcel) {
    parcel->clear();
    Request request = {part_,
                       this,
                       mycore(),
                       static_cast<uint32_t>(requests_.lookups.count(owner)),
                       0,
                       0,
                       owner != mycore() && part_->known.may_cache()};
    char* place = add_part(parcel, request.lookups * sizeof(K));
    requests_.lookups.for_owner(owner, [&place](const Lookup& lookup) {
      std::memcpy(place, &lookup.key, sizeof(K));
      place += sizeof(K);
    });
    for (KindBatch& batch : requests_.writes) {
      const auto writes = static_cast<uint32_t>(batch.requests.count(owner));
      if (writes == 0) continue;
      ++request.kinds;
      request.writes += writes;
      new (add_part(parcel, sizeof(Header))) Header{batch.kind, writes};
      place = add_part(parcel, writes * sizeof(Write));
      batch.requests.for_owner(owner, [&place](const Write& write) {
        std::memcpy(place, &write, sizeof(Write));
        place += sizeof(Write);
      });
    }
    add_part(parcel, 0);
    return request;
  }

  void take_answer(Core owner, const void* answer) {
    const char* const bits = static_cast<const char*>(answer);
    size_t n = 0;
    const auto next_bit = [&n, bits] {
      const bool bit = (bits[n / 8] >> n % 8 & 1) != 0;
      ++n;
      return bit;
    };
    for (KindBatch& batch : requests_.writes) {
      batch.requests.for_owner(owner, [&](WriteRequest& write) { write.answer = next_bit(); });
    }
    uint32_t found = n_values_;
    requests_.lookups.for_owner(owner, [&](Lookup& lookup) {
      lookup.answer = next_bit();
      if (lookup.answer) lookup.value = found++;
    });
    const char* const values = bits + align_up(div_up(n, 8), kPartAlignment);
    requests_.values.insert(requests_.values.end(), values,
                            values + (found - n_values_) * Cells::kValueBytes);
    n_values_ = found;
    answered_.complete();
  }

  Part* const part_;
  const Spare spare_;
  Requests requests_;
  uint32_t n_values_ = 0;
  size_t n_keys_ = 0;  // keys in all batches
  CompletionEvent answered_;
};

}}  // namespace Grappa::detail
