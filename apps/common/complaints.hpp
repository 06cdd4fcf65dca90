#pragma once

/// The rule violations that the verification of a result finds. For each rule the violation of the
/// lowest vertex is kept, so the output does not depend on the number of cores.

#include <Grappa.hpp>

#include <cstdint>

namespace apps {

/// The complaints of one core. Rules are 1 to `rules`. Complaint must be trivially copyable, with
/// members `vertex` and `other`, which order the complaints about one rule.
template <class Complaint, int rules>
class Complaints {
 public:
  void add(int rule, const Complaint& complaint) {
    ++count_;
    lowest_[rule] = lower(lowest_[rule], Lowest{true, complaint});
  }

  int64_t count() const { return count_; }

  /// Combines the complaints of all cores. Afterwards first_rule() and first() refer to all cores.
  /// From: task, on each core. Suspends until all cores have called.
  void merge() {
    for (Lowest& lowest : lowest_) lowest = Grappa::allreduce<Lowest, lower>(lowest);
  }

  /// first_rule() is the lowest broken rule, and first() is its lowest complaint. At least one
  /// complaint must exist.
  int first_rule() const {
    int rule = 1;
    while (!lowest_[rule].exists) ++rule;
    return rule;
  }
  const Complaint& first() const { return lowest_[first_rule()].complaint; }

 private:
  struct Lowest {
    bool exists;
    Complaint complaint;
  };

  static Lowest lower(const Lowest& a, const Lowest& b) {
    if (!a.exists || !b.exists) return a.exists ? a : b;
    if (a.complaint.vertex != b.complaint.vertex) {
      return a.complaint.vertex < b.complaint.vertex ? a : b;
    }
    return a.complaint.other <= b.complaint.other ? a : b;
  }

  int64_t count_ = 0;
  Lowest lowest_[rules + 1] = {};
};

}  // namespace apps
