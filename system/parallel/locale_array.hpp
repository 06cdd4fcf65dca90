#pragma once

/// An array with one part for each core, of which each locale has a copy in the memory that its
/// cores share. In the copy of its locale, each core writes its own part. share() copies the parts
/// of the locale to all other locales. So a job has one copy per locale instead of one per core,
/// and messages between locales instead of cores.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/bulk_transfer.hpp"
#include "system/global/locale_memory.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/completion_event.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

/// A symmetric object. Each core calls the methods on its own instance. The cores must order a
/// write and a read of another core by a barrier, or accept either value and use atomic accesses.
template <class T>
class LocaleArray {
 public:
  /// Creates an array of `part` elements per core, all zero. From: task. Suspends: until done.
  static GlobalAddress<LocaleArray> create(int64_t part) {
    const GlobalAddress<LocaleArray> array = symmetric<LocaleArray>(part);
    on_all_cores([array] { array->connect(); });
    return array;
  }

  /// Called by create() only.
  explicit LocaleArray(int64_t part) : part_(part) {
    static_assert(travels<T>::value, "the elements are sent as bytes");
    if (locale_mycore() == 0) all_ = locale_alloc<T>(part * cores());
  }
  ~LocaleArray() {
    if (locale_mycore() == 0) locale_free(all_);
  }
  LocaleArray(const LocaleArray&) = delete;
  LocaleArray& operator=(const LocaleArray&) = delete;

  /// The copy of this locale: the parts of all cores, in the order of their numbers.
  T* all() const { return all_; }
  int64_t size() const { return part_ * cores(); }

  /// The part of this core, of part() elements.
  T* own() const { return all_ + part_ * mycore(); }
  int64_t part() const { return part_; }

  /// Sets all elements to zero, when all cores have called it. A barrier must follow.
  void clear() {
    for_each_written_here([this](int64_t first, int64_t n) { std::fill_n(all_ + first, n, T()); });
  }

  /// Calls `body(first, n)` for ranges of elements of the copy of this locale. The ranges of all
  /// cores of the locale together are the whole array, without overlaps.
  template <class F>
  void for_each_written_here(const F& body) const {
    for (const Core core : written_here_) body(part_ * core, part_);
  }

  /// Elements `first` to `first + n - 1`.
  struct Range {
    int64_t first, n;
  };

  /// Copies the parts of all cores to all other locales. A barrier must follow: then all copies
  /// have arrived, and the parts may change again. From: a task on every core, at the same time.
  /// Suspends. Messages: if there are at least as many locales as cores in a locale, the cores of a
  /// locale divide the other locales among them. A core then sends the parts of the locale to its
  /// share of the locales, and 1 message to each other core of the locale. Otherwise, each core
  /// sends its own part to each other locale.
  void share() {
    share([this](Core) { return Range{0, part_}; });
  }

  /// Likewise copies only the range `changed(core)` of the part of each core. The function must be
  /// the same on all cores.
  template <class F>
  void share(const F& changed) {
    for (const Core neighbour : senders_) {
      if (neighbour == mycore()) {
        ready_.complete();
      } else {
        send_message(neighbour, [this] { ready_.complete(); });
        flush_to(neighbour, FlushCause::Asked);
      }
    }
    if (!sends_) return;
    if (!senders_.empty()) {
      ready_.wait();
      ready_.enroll(locale_cores());
    }
    const std::vector<Range> sent = ranges_of(sent_, changed);
    BulkTransfer transfer;
    for (size_t k = 0; k < copies_.size(); ++k) {
      const Copy& copy = in_turn(k);
      if (copy.sender != mycore()) continue;
      for (const Range& range : sent) put_range(copy, range, &transfer);
    }
    transfer.wait();
  }

  /// Copies, from the copy of this locale, the part of each core to the copy of its own locale.
  /// A barrier must precede, after clear() or share(), and follow. Then share() completes the
  /// copies of all locales, and no core has sent more than about two copies. From: task. Only one
  /// core may call it at a time. Suspends: until the parts have arrived. Messages: to each other
  /// locale, the parts of its cores.
  void scatter() {
    const auto whole = [this](Core) { return Range{0, part_}; };
    const std::vector<std::vector<Core>> members = cores_of_locales();
    BulkTransfer transfer;
    for (size_t k = 0; k < copies_.size(); ++k) {
      const Copy& copy = in_turn(k);
      for (const Range& range : ranges_of(members[static_cast<size_t>(copy.locale)], whole)) {
        put_range(copy, range, &transfer);
      }
    }
    transfer.wait();
  }

 private:
  /// The copy of another locale. With three-hop routing and many locales, the sender and the
  /// receiver are the two cores that connect the locales.
  struct Copy {
    T* all;
    Locale locale;
    Core sender;  // of this locale
    Core receiver;
  };

  // The ranges of all() that are `changed(core)` of the parts of these cores.
  template <class F>
  std::vector<Range> ranges_of(const std::vector<Core>& of, const F& changed) const {
    std::vector<Range> all;
    for (const Core core : of) {
      const Range range = changed(core);
      const int64_t first = part_ * core + range.first;
      if (!all.empty() && all.back().first + all.back().n == first) {
        all.back().n += range.n;
      } else {
        all.push_back(Range{first, range.n});
      }
    }
    return all;
  }

  static std::vector<std::vector<Core>> cores_of_locales() {
    const std::vector<Locale>& locale_of = topology().locale_of;
    std::vector<std::vector<Core>> all(static_cast<size_t>(locales()));
    for (Core core = 0; core < cores(); ++core) {
      all[static_cast<size_t>(locale_of[static_cast<size_t>(core)])].push_back(core);
    }
    return all;
  }

  // Learns the addresses of the other copies, and divides the work.
  void connect() {
    const std::vector<std::vector<Core>> members = cores_of_locales();
    std::vector<uint64_t> addresses(members.size(), 0);
    if (all_ != nullptr)
      addresses[static_cast<size_t>(mylocale())] = reinterpret_cast<uint64_t>(all_);
    allreduce_inplace<uint64_t, collective_add>(addresses.data(), int64_t(addresses.size()));
    all_ = reinterpret_cast<T*>(addresses[static_cast<size_t>(mylocale())]);
    const std::vector<Core>& near = topology().locale_members;
    const size_t mine = static_cast<size_t>(locale_mycore());
    const size_t here = near.size();
    const bool by_locale = members.size() >= here;
    sent_ = by_locale ? near : std::vector<Core>{mycore()};
    for (size_t k = 0; k < members.size(); ++k) {
      for (size_t index = 0; index < members[k].size(); ++index) {
        if (index % here == mine) written_here_.push_back(members[k][index]);
      }
      if (k == static_cast<size_t>(mylocale())) continue;
      const size_t receiver = by_locale ? static_cast<size_t>(mylocale()) : mine;
      copies_.push_back(Copy{reinterpret_cast<T*>(addresses[k]), static_cast<Locale>(k),
                             by_locale ? near[k % here] : mycore(),
                             members[k][receiver % members[k].size()]});
      if (by_locale) senders_.push_back(near[k % here]);
    }
    std::sort(senders_.begin(), senders_.end());
    senders_.erase(std::unique(senders_.begin(), senders_.end()), senders_.end());
    sends_ = !by_locale || std::binary_search(senders_.begin(), senders_.end(), mycore());
    if (by_locale && sends_) ready_.enroll(locale_cores());
    clear();
  }

  // The copies of the locales after this one, in turn: not all locales send to one at a time.
  const Copy& in_turn(size_t k) const {
    return copies_[(static_cast<size_t>(mylocale()) + k) % copies_.size()];
  }

  void put_range(const Copy& copy, const Range& range, BulkTransfer* transfer) const {
    put(make_global(copy.all + range.first, copy.receiver).raw_bits(), all_ + range.first,
        static_cast<uint64_t>(range.n) * sizeof(T), transfer);
  }

  const int64_t part_;
  T* all_ = nullptr;
  std::vector<Copy> copies_;        // of other locales
  std::vector<Core> sent_;          // the cores whose parts share() sends from this core
  std::vector<Core> senders_;       // the cores that wait for the parts of their neighbours
  bool sends_ = false;              // share() sends parts from this core
  CompletionEvent ready_;           // of a sender: parts of this locale that are not complete yet
  std::vector<Core> written_here_;  // the cores whose parts this core writes in this copy
};

}}  // namespace Grappa::detail
