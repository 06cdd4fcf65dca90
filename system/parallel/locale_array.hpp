#pragma once

/// An array with one part for each core, of which each locale has a copy in the memory that its
/// cores share. In the copy of its locale, each core writes its own part. share() copies this part
/// to all other locales. So a job has one copy per locale instead of one per core, and fewer
/// messages.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/bulk_transfer.hpp"
#include "system/global/locale_memory.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"

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
    for (const Core core : written_here_) std::fill_n(all_ + part_ * core, part_, T());
  }

  /// Copies this core's part to all other locales. From: task. Suspends: until the copies have
  /// arrived. Messages: one copy per other locale.
  void share() { send(part_ * mycore(), part_); }

  /// Copies the whole copy of this locale to all other locales. From: as share(). Only one core may
  /// call it at a time.
  void share_all() { send(0, size()); }

 private:
  struct Copy {
    T* all;
    Core receiver;  // of what this core sends
  };

  // Learns the addresses of the other copies, and divides the work.
  void connect() {
    const std::vector<Locale>& locale_of = topology().locale_of;
    std::vector<std::vector<Core>> members(static_cast<size_t>(locales()));
    for (Core core = 0; core < cores(); ++core) {
      members[static_cast<size_t>(locale_of[static_cast<size_t>(core)])].push_back(core);
    }
    std::vector<uint64_t> addresses(members.size(), 0);
    if (all_ != nullptr)
      addresses[static_cast<size_t>(mylocale())] = reinterpret_cast<uint64_t>(all_);
    allreduce_inplace<uint64_t, collective_add>(addresses.data(), int64_t(addresses.size()));
    all_ = reinterpret_cast<T*>(addresses[static_cast<size_t>(mylocale())]);
    const size_t mine = static_cast<size_t>(locale_mycore());
    const size_t here = static_cast<size_t>(locale_cores());
    for (size_t k = 0; k < members.size(); ++k) {
      for (size_t index = 0; index < members[k].size(); ++index) {
        if (index % here == mine) written_here_.push_back(members[k][index]);
      }
      if (k == static_cast<size_t>(mylocale())) continue;
      copies_.push_back(
          Copy{reinterpret_cast<T*>(addresses[k]), members[k][mine % members[k].size()]});
    }
    clear();
  }

  void send(int64_t first, int64_t n) {
    BulkTransfer transfer;
    const size_t begin = static_cast<size_t>(mylocale());  // not all locales send to one at a time
    for (size_t k = 0; k < copies_.size(); ++k) {
      const Copy& copy = copies_[(begin + k) % copies_.size()];
      put(make_global(copy.all + first, copy.receiver).raw_bits(), all_ + first,
          static_cast<uint64_t>(n) * sizeof(T), &transfer);
    }
    transfer.wait();
  }

  const int64_t part_;
  T* all_ = nullptr;
  std::vector<Copy> copies_;        // of other locales
  std::vector<Core> written_here_;  // the cores whose parts this core writes in this copy
};

}}  // namespace Grappa::detail
