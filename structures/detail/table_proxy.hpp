#pragma once

/// Combining the writes and lookups of one core's tasks on a global set or map.
///
/// Equal requests are merged: writes of the same key and kind, and lookups of the same key. A
/// merged request still waits for the commit, since a later operation of its task must not overtake
/// it. A waiting write never answers a lookup. The requests in one proxy are concurrent operations,
/// and all callers wait, so a commit may execute them in any order. Each owner gets one message
/// with all its requests, and all owners work in parallel. Each operation takes effect when its
/// owner executes it, between its call and its return. Merged writes take effect one right after
/// the other: the owner answers the first write, and the other writes find an existing key.
///
///     request: | lookups: keys | header, writes of one kind | header, writes of the next | ...
///     answer:  | one bit for each write, then for each lookup | values of the keys found
///
/// Each part begins at a multiple of kPartAlignment.

#include "structures/counters.hpp"
#include "structures/detail/cell.hpp"
#include "structures/detail/latency_critical.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/bits.hpp"
#include "system/sync/completion_event.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <vector>

namespace Grappa {
namespace detail {

constexpr size_t kPartAlignment = 16;

/// A message of a commit, or its answer.
typedef std::vector<char> Parcel;

/// Appends `bytes` zero bytes at a multiple of kPartAlignment and returns their address.
inline char* add_part(Parcel* parcel, size_t bytes) {
  const size_t at = align_up(parcel->size(), kPartAlignment);
  parcel->resize(at + bytes);
  return parcel->data() + at;
}

class ParcelReader {
 public:
  explicit ParcelReader(const void* parcel) : next_(static_cast<const char*>(parcel)) {}
  template <class T>
  const T* part(size_t count) {
    const char* const at = next_;
    next_ += align_up(count * sizeof(T), kPartAlignment);
    return reinterpret_cast<const T*>(at);
  }

 private:
  const char* next_;
};

/// The requests for different keys that wait in a proxy, indexed by key, and later sorted by owner.
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

template <class K, class V, class Hash, class Equal>
class TableProxy : public FCProxy {
  typedef detail::Cells<K, V, Hash, Equal> Cells;

 public:
  typedef typename Cells::Table Table;
  typedef typename Cells::Kind Kind;
  typedef typename Cells::Write Write;

  /// `table` has the same address on every core. `async_done` counts the completed async requests.
  TableProxy(Table* table, uint64_t* async_done) : table_(table), async_done_(async_done) {}

  /// Returns true if the key is new.
  bool write(const Kind& kind, const Write& write) {
    KindBatch& batch = batch_of(kind);
    const size_t i = batch.requests.size();
    if (merge(&batch, write)) {
      wait();
      return false;
    }
    wait();
    return batch.requests[i].answer;
  }

  void write_async(const Kind& kind, const Write& write) {
    merge(&batch_of(kind), write);
    ++n_async_;
    complete_in_scope();
  }

  /// If the key is present, writes its value to `place` and returns true.
  bool lookup(const K& key, void* place) {
    const size_t n = lookups_.size();
    const size_t i = lookups_.add(Lookup{key, 0, false});
    if (lookups_.size() == n) ++structure_counters::duplicates;
    wait();
    if (!lookups_[i].answer) return false;
    if (Cells::kValueBytes != 0) {
      std::memcpy(place, values_.data() + lookups_[i].value * Cells::kValueBytes,
                  Cells::kValueBytes);
    }
    return true;
  }

  void sync() override;

  /// Merged requests take no memory in the proxy, but their waiting callers do.
  bool is_full() const override {
    return n_keys_ + lookups_.size() >= kProxyRequests ||
           waiting_requests() >= kMostMerged * kProxyRequests;
  }

 private:
  enum : size_t { kMostMerged = 64 };

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
    uint32_t value;  // index of the value in values_, if found
    bool answer;
  };
  struct Header {
    Kind kind;
    uint32_t writes;
  };

  // These closures are sent between cores.
  struct Answer {
    TableProxy* proxy;
    Core owner;
    void operator()(void* parcel, size_t) const { proxy->take_answer(owner, parcel); }
  };
  struct Request {
    Table* table;
    TableProxy* proxy;
    Core caller;
    uint32_t kinds;
    uint32_t lookups;

    void operator()(void* parcel, size_t) const {
      Parcel answer;
      execute(*this, parcel, &answer);
      send_latency_critical(caller, Answer{proxy, mycore()}, answer.data(), answer.size());
    }
  };

  KindBatch& batch_of(const Kind& kind) {
    for (KindBatch& batch : batches_) {
      if (batch.kind == kind) return batch;
    }
    batches_.emplace_back(kind);
    return batches_.back();
  }

  // Returns false if the write is the first one of its key.
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

  bool concerns(Core owner) const {
    if (lookups_.count(owner) != 0) return true;
    for (const KindBatch& batch : batches_) {
      if (batch.requests.count(owner) != 0) return true;
    }
    return false;
  }

  Request make_request(Core owner, Parcel* parcel);
  static void execute(const Request& request, const void* parcel, Parcel* answer);
  void take_answer(Core owner, const void* parcel);

  Table* const table_;
  uint64_t* const async_done_;
  std::list<KindBatch> batches_;  // only a few
  KeyBatch<Lookup, Hash, Equal> lookups_;
  Parcel values_;  // values of successful lookups
  uint32_t n_values_ = 0;
  size_t n_keys_ = 0;     // in all batches
  uint64_t n_async_ = 0;  // async requests
  CompletionEvent answered_;
};

template <class K, class V, class Hash, class Equal>
void TableProxy<K, V, Hash, Equal>::sync() {
  lookups_.deal();
  for (KindBatch& batch : batches_) batch.requests.deal();
  std::vector<Core> asked;
  Parcel parcel;
  for (int distance = 1; distance < cores(); ++distance) {  // each core starts with another owner
    const Core owner = static_cast<Core>((mycore() + distance) % cores());
    if (!concerns(owner)) continue;
    parcel.clear();
    const Request request = make_request(owner, &parcel);
    answered_.enroll();
    ++structure_counters::owner_messages;
    send_message(owner, unchecked(request), parcel.data(), parcel.size());
    asked.push_back(owner);
  }
  for (Core owner : asked) flush_to(owner, FlushCause::Asked);
  if (concerns(mycore())) {
    parcel.clear();
    const Request request = make_request(mycore(), &parcel);
    Parcel answer;
    execute(request, parcel.data(), &answer);
    answered_.enroll();
    take_answer(mycore(), answer.data());
  }
  wait_for_others(&answered_);
  *async_done_ += n_async_;
}

/// Collects the requests for one owner in the parcel.
template <class K, class V, class Hash, class Equal>
typename TableProxy<K, V, Hash, Equal>::Request TableProxy<K, V, Hash, Equal>::make_request(
    Core owner, Parcel* parcel) {
  Request request = {table_, this, mycore(), 0, 0};
  request.lookups = static_cast<uint32_t>(lookups_.count(owner));
  char* place = add_part(parcel, request.lookups * sizeof(K));
  for (size_t i = 0; i < request.lookups; ++i, place += sizeof(K)) {
    std::memcpy(place, &lookups_[lookups_.order(lookups_.first(owner) + i)].key, sizeof(K));
  }
  for (KindBatch& batch : batches_) {
    const size_t writes = batch.requests.count(owner);
    if (writes == 0) continue;
    ++request.kinds;
    new (add_part(parcel, sizeof(Header))) Header{batch.kind, static_cast<uint32_t>(writes)};
    place = add_part(parcel, writes * sizeof(Write));
    for (size_t i = 0; i < writes; ++i, place += sizeof(Write)) {
      const Write& write = batch.requests[batch.requests.order(batch.requests.first(owner) + i)];
      std::memcpy(place, &write, sizeof(Write));
    }
  }
  add_part(parcel, 0);
  return request;
}

/// Runs at the owner, without suspending.
template <class K, class V, class Hash, class Equal>
void TableProxy<K, V, Hash, Equal>::execute(const Request& request, const void* parcel,
                                            Parcel* answer) {
  Table& table = *request.table;
  ParcelReader reader(parcel);
  const K* const keys = reader.template part<K>(request.lookups);
  const ParcelReader writes_reader = reader;
  size_t writes = 0;
  for (uint32_t kind = 0; kind < request.kinds; ++kind) {
    const uint32_t count = reader.template part<Header>(1)->writes;
    reader.template part<Write>(count);
    writes += count;
  }
  // Reserves space for the values of all lookups; the unused rest is cut off at the end.
  char* bits = add_part(answer, div_up(writes + request.lookups, 8));
  char* const values = add_part(answer, request.lookups * Cells::kValueBytes);
  bits = answer->data();
  size_t n = 0;
  const auto add_bit = [&n, bits](bool bit) {
    bits[n / 8] = static_cast<char>(bits[n / 8] | int{bit} << n % 8);
    ++n;
  };
  reader = writes_reader;
  for (uint32_t kind = 0; kind < request.kinds; ++kind) {
    const Header& header = *reader.template part<Header>(1);
    const Write* const batch = reader.template part<Write>(header.writes);
    table.for_each_key(
        header.writes, [batch](size_t i) -> const K& { return batch[i].key; },
        [&](size_t i) { add_bit(Cells::write(table, header.kind, batch[i])); });
  }
  char* value = values;
  table.for_each_key(
      request.lookups, [keys](size_t i) -> const K& { return keys[i]; },
      [&](size_t i) {
        const bool found = Cells::read(table, keys[i], value);
        if (found) value += Cells::kValueBytes;
        add_bit(found);
      });
  answer->resize(static_cast<size_t>(value - answer->data()));
}

template <class K, class V, class Hash, class Equal>
void TableProxy<K, V, Hash, Equal>::take_answer(Core owner, const void* parcel) {
  const char* const bits = static_cast<const char*>(parcel);
  size_t n = 0;
  const auto next_bit = [&n, bits] {
    const bool bit = (bits[n / 8] >> n % 8 & 1) != 0;
    ++n;
    return bit;
  };
  for (KindBatch& batch : batches_) {
    const size_t first = batch.requests.first(owner), count = batch.requests.count(owner);
    for (size_t i = 0; i < count; ++i) {
      batch.requests[batch.requests.order(first + i)].answer = next_bit();
    }
  }
  const size_t first = lookups_.first(owner), count = lookups_.count(owner);
  uint32_t found = n_values_;
  for (size_t i = 0; i < count; ++i) {
    Lookup& lookup = lookups_[lookups_.order(first + i)];
    lookup.answer = next_bit();
    if (lookup.answer) lookup.value = found++;
  }
  const char* const values = bits + align_up(div_up(n, 8), kPartAlignment);
  values_.insert(values_.end(), values, values + (found - n_values_) * Cells::kValueBytes);
  n_values_ = found;
  answered_.complete();
}

}  // namespace detail
}  // namespace Grappa
