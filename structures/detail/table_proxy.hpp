#pragma once

/// Combines the writes and lookups of one core's tasks on a global set or map.
///
/// Equal requests are merged: writes of the same key and kind, and lookups of the same key. A
/// merged request still waits for the commit, since a later operation of its task must not overtake
/// it. All callers wait, so a commit may execute the requests in any order. Each owner gets one
/// message. Its answer is for the first of merged writes. The other writes find an existing key.
///
/// If there are several locales, the requests for other locales are sent to *gatherers*: cores of
/// the caller's locale, which merge the messages of their neighbours in a second proxy. So an owner
/// gets one message for several batches. Each core is a gatherer, for a part of the owners.
///
///     request: | lookups: keys | header, writes of one kind | header, writes of the next | ...
///     answer:  | one bit for each write, then for each lookup | values of the keys found

#include "structures/combining.hpp"
#include "structures/detail/element_store.hpp"
#include "structures/detail/key_batch.hpp"
#include "structures/detail/known_keys.hpp"
#include "structures/detail/owner_table.hpp"
#include "structures/detail/parcel.hpp"
#include "structures/flat_combiner.hpp"
#include "system/observe/clock.hpp"
#include "system/sync/completion_event.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

template <class K, class V, class Hash, class Equal>
class TableProxy : public FCProxy {
  typedef detail::Cells<K, V> Cells;
  typedef TablePart<K, V, Hash, Equal> Part;
  struct Requests;
  struct Request;

 public:
  typedef typename Cells::Kind Kind;
  typedef typename Cells::Write Write;

  typedef SpareMemory<Requests> Spare;

  /// `part` and `gatherer` have the same addresses on every core. `gatherer` is null in the proxies
  /// of a gatherer, and if requests are not gathered. A proxy with `most_requests` different
  /// requests is full, or earlier (is_full()).
  TableProxy(Part* part, const Spare& spare, size_t most_requests,
             FlatCombiner<TableProxy>* gatherer)
      : part_(part),
        spare_(spare),
        most_requests_(most_requests),
        gatherer_(gatherer),
        targets_(gatherer != nullptr),
        requests_(spare_.take()) {}
  ~TableProxy() override {
    requests_.clear();
    spare_.give_back(std::move(requests_));
  }

  bool write(const Kind& kind, const Write& write) {
    const Merged at = merge(&batch_of(kind), write);
    wait();
    return at.answer();
  }

  bool lookup(const K& key, void* place) {
    const size_t i = merge_lookup(key);
    wait();
    return read_found(requests_.lookups[i], place);
  }

  /// Merges the requests in a message of a neighbour, which gets an answer after the commit. Must
  /// not suspend. From: handler.
  void gather(const Request& request, const char* parcel) {
    check_open();
    const K* const keys = take_part<K>(&parcel, request.lookups);
    for (uint32_t kind = 0; kind < request.kinds; ++kind) {
      const Header& header = *take_part<Header>(&parcel, 1);
      const Write* const writes = take_part<Write>(&parcel, header.writes);
      KindBatch& batch = batch_of(header.kind);
      for (uint32_t i = 0; i < header.writes; ++i) {
        requests_.gathered.push_back(merge(&batch, writes[i]));
      }
    }
    for (uint32_t i = 0; i < request.lookups; ++i) {
      requests_.gathered.push_back({nullptr, merge_lookup(keys[i]), true});
    }
    requests_.neighbours.push_back(request);
    neighbours_may_cache_ = neighbours_may_cache_ || request.may_cache;
    complete_in_scope(0);  // its operations were counted on the neighbour
  }

  void sync() override {
    charge_ns((n_keys_ + requests_.lookups.size()) * uint64_t{kKeyNs});
    deal(&requests_.lookups);
    for (KindBatch& batch : requests_.writes) deal(&batch.requests);
    std::vector<char>& parcel = requests_.parcel;
    std::vector<Core>& far = requests_.far_owners;
    far.clear();
    const size_t own = targets_.of_own_keys();
    for (size_t distance = 1; distance < targets_.count(); ++distance) {
      const size_t target = (own + distance) % targets_.count();  // cores start with different ones
      const Request request = make_request(target, &parcel);
      if (parcel.empty()) continue;
      answered_.enroll();
      const Core core = targets_.core(target);
      if (targets_.is_gatherer(target)) {
        ++structure_counters::gathered_batches;
        send_message(core, unchecked(Gather{request, gatherer_}), parcel.data(), parcel.size());
      } else {
        ++structure_counters::owner_messages;
        send_message(core, unchecked(request), parcel.data(), parcel.size());
      }
      if (locale_of(core) == mylocale()) {
        flush_to(core, FlushCause::Asked);
      } else {
        far.push_back(core);
      }
    }
    // With relays, owners in other locales share buffers.
    for (const Core core : far) flush_to(core, FlushCause::Asked);
    const Request request = make_request(own, &parcel);
    if (!parcel.empty()) {
      answered_.enroll();
      take_answer(own, request.execute(parcel.data()).data());
    }
    answered_.wait(WaitReason(WaitReason::Kind::Transfer));
    answer_neighbours();
  }

  bool is_full() const override {  // waiting callers of merged requests also take memory
    return n_keys_ + requests_.lookups.size() >= most_requests_ ||
           waiting_requests() >= 64 * kProxyRequests;
  }

 private:
  struct WriteRequest : Write {
    explicit WriteRequest(const Write& write) : Write(write) {}
    bool answer = false;
  };
  struct KindBatch;
  struct Merged {
    KindBatch* batch;  // null for a lookup
    size_t i;          // of the request in its batch
    bool is_first;     // with this key

    bool answer() const { return is_first && batch->requests[i].answer; }  // of a write
  };
  struct KindBatch {
    explicit KindBatch(const Kind& its_kind) : kind(its_kind) {}
    Kind kind;
    KeyBatch<WriteRequest> requests;
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
    KeyBatch<Lookup> lookups;
    std::vector<char> values;  // of successful lookups
    std::vector<char> parcel;
    std::vector<Core> far_owners;  // with requests, in other locales
    // In the proxies of a gatherer:
    std::vector<Request> neighbours;  // whose requests were merged
    std::vector<Merged> gathered;     // for each neighbour, the writes, then the lookups

    void clear() {
      neighbours.clear();
      gathered.clear();
      if (writes.size() > kKindsKept) writes.clear();
      for (KindBatch& batch : writes) batch.requests.clear();
      lookups.clear();
      values.clear();
    }
  };
  enum : size_t {
    kKindsKept = 4,
    kKeyNs = 30,  // charged in simulations: merge, deal, copy, and read the answer
  };

  /// The message to an owner. A parcel follows it as payload.
  struct Request {
    Part* part;
    TableProxy* proxy;
    size_t target;  // of the requests, in the proxy
    Core caller;
    uint32_t lookups;
    uint32_t kinds;
    uint32_t writes;  // of all kinds
    bool may_cache;   // another core may cache the keys

    void operator()(void* parcel, size_t) const {
      answer(execute(static_cast<const char*>(parcel)));
    }

    void answer(const std::vector<char>& bytes) const {
      TableProxy* const asking = proxy;
      const size_t its_target = target;
      const auto take = [asking, its_target](void* answer, size_t) {
        asking->take_answer(its_target, answer);
      };
      send_latency_critical(caller, take, bytes.data(), bytes.size());
    }

    // Reserves space for the values of all lookups, of which the caller removes the unused part.
    size_t start_answer(std::vector<char>* bytes) const {
      const size_t values = bit_bytes(writes + lookups);
      bytes->assign(values + lookups * Cells::kValueBytes, 0);
      return values;
    }

    // Returns the answer, which is valid until the next call.
    const std::vector<char>& execute(const char* parcel) const {
      static std::vector<char> answer;
      const size_t values = start_answer(&answer);
      char* value = answer.data() + values;
      BitWriter bits = {answer.data(), 0};
      auto& table = part->table;
      auto* const known = may_cache ? &part->known : nullptr;
      const K* const keys = take_part<K>(&parcel, lookups);
      for (uint32_t kind = 0; kind < kinds; ++kind) {
        const Header& header = *take_part<Header>(&parcel, 1);
        const Write* const batch = take_part<Write>(&parcel, header.writes);
        table.for_each_key(
            header.writes, [batch](size_t i) -> const K& { return batch[i].key; },
            [&](size_t i) {
              bits.add(Cells::write(table, header.kind, batch[i]));
              if (known != nullptr) known->mark(batch[i].key);
            });
      }
      table.for_each_key(
          lookups, [keys](size_t i) -> const K& { return keys[i]; },
          [&](size_t i) {
            const bool found = Cells::read(table, keys[i], value);
            if (found) value += Cells::kValueBytes;
            if (found && known != nullptr) known->mark(keys[i]);
            bits.add(found);
          });
      answer.resize(static_cast<size_t>(value - answer.data()));
      return answer;
    }
  };

  /// The message to a gatherer. The parcel of the request follows it.
  struct Gather {
    Request request;
    FlatCombiner<TableProxy>* gatherer;

    void operator()(void* parcel, size_t) const {
      (*gatherer)->gather(request, static_cast<const char*>(parcel));
    }
  };

  KindBatch& batch_of(const Kind& kind) {
    for (KindBatch& batch : requests_.writes) {
      if (batch.kind == kind) return batch;
    }
    requests_.writes.emplace_back(kind);
    return requests_.writes.back();
  }

  template <class R>
  static size_t add(KeyBatch<R>* batch, const R& request) {
    return batch->add(request, KeyHash<K, Hash>()(request.key),
                      [&request](const R& other) { return Equal()(other.key, request.key); });
  }
  template <class R>
  void deal(KeyBatch<R>* batch) {
    batch->deal(targets_, [](const R&, uint64_t hash) { return owner_of_hash(hash); });
  }

  Merged merge(KindBatch* batch, const Write& write) {
    const size_t n = batch->requests.size();
    const size_t i = add(&batch->requests, WriteRequest(write));
    if (batch->requests.size() != n) {
      ++n_keys_;
      return {batch, i, true};
    }
    Cells::merge(batch->kind, &batch->requests[i], write);
    ++structure_counters::duplicates;
    return {batch, i, false};
  }

  // Returns the index of the lookup.
  size_t merge_lookup(const K& key) {
    const size_t n = requests_.lookups.size();
    const size_t i = add(&requests_.lookups, Lookup{key, 0, false});
    if (requests_.lookups.size() == n) ++structure_counters::duplicates;
    return i;
  }

  // If the lookup has found its key, copies the value to `place` and returns true.
  bool read_found(const Lookup& lookup, void* place) const {
    if (!lookup.answer) return false;
    if (Cells::kValueBytes != 0) {
      std::memcpy(place, requests_.values.data() + lookup.value * Cells::kValueBytes,
                  Cells::kValueBytes);
    }
    return true;
  }

  // Returns true if a core whose requests are in this proxy may cache the answers.
  bool callers_may_cache() const {
    return requests_.neighbours.empty() ? part_->known.may_cache() : neighbours_may_cache_;
  }

  void answer_neighbours() {
    std::vector<char>& answer = requests_.parcel;
    auto merged = requests_.gathered.begin();
    for (const Request& request : requests_.neighbours) {
      const size_t values = request.start_answer(&answer);
      char* value = answer.data() + values;
      BitWriter bits = {answer.data(), 0};
      for (uint32_t i = 0; i < request.writes; ++i) bits.add((merged++)->answer());
      for (uint32_t i = 0; i < request.lookups; ++i) {
        const bool found = read_found(requests_.lookups[(merged++)->i], value);
        if (found) value += Cells::kValueBytes;
        bits.add(found);
      }
      answer.resize(static_cast<size_t>(value - answer.data()));
      request.answer(answer);
      flush_to(request.caller, FlushCause::Asked);
    }
  }

  // Writes the requests with this target to the parcel, which is empty if there are none.
  Request make_request(size_t target, std::vector<char>* parcel) {
    parcel->clear();
    Request request = {part_,
                       this,
                       target,
                       mycore(),
                       static_cast<uint32_t>(requests_.lookups.count(target)),
                       0,
                       0,
                       target != targets_.of_own_keys() && callers_may_cache()};
    char* place = add_part(parcel, request.lookups * sizeof(K));
    requests_.lookups.for_target(target, [&place](const Lookup& lookup) {
      std::memcpy(place, &lookup.key, sizeof(K));
      place += sizeof(K);
    });
    for (KindBatch& batch : requests_.writes) {
      const auto writes = static_cast<uint32_t>(batch.requests.count(target));
      if (writes == 0) continue;
      ++request.kinds;
      request.writes += writes;
      new (add_part(parcel, sizeof(Header))) Header{batch.kind, writes};
      place = add_part(parcel, writes * sizeof(Write));
      batch.requests.for_target(target, [&place](const Write& write) {
        std::memcpy(place, &write, sizeof(Write));
        place += sizeof(Write);
      });
    }
    add_part(parcel, 0);
    return request;
  }

  void take_answer(size_t target, const void* answer) {
    BitReader bits = {static_cast<const char*>(answer), 0};
    for (KindBatch& batch : requests_.writes) {
      batch.requests.for_target(target, [&](WriteRequest& write) { write.answer = bits.next(); });
    }
    uint32_t found = n_values_;
    requests_.lookups.for_target(target, [&](Lookup& lookup) {
      lookup.answer = bits.next();
      if (lookup.answer) lookup.value = found++;
    });
    const char* const values = bits.bytes + bit_bytes(bits.n);
    requests_.values.insert(requests_.values.end(), values,
                            values + (found - n_values_) * Cells::kValueBytes);
    n_values_ = found;
    answered_.complete();
  }

  Part* const part_;
  Spare spare_;
  const size_t most_requests_;
  FlatCombiner<TableProxy>* const gatherer_;
  const Targets targets_;
  Requests requests_;
  uint32_t n_values_ = 0;
  size_t n_keys_ = 0;  // keys in all batches
  bool neighbours_may_cache_ = false;
  CompletionEvent answered_;
};

}}  // namespace Grappa::detail
