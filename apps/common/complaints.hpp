#pragma once

/// What the verification of a result has against it: of each rule the complaint about the lowest
/// vertex, so that a wrong result is described alike on any number of cores.

#include <Grappa.hpp>

#include <cstdint>

namespace apps {

/// One core's. Rules are 1 to `rules`. Complaint travels, and has members vertex and other, which
/// order complaints about one rule.
template <class Complaint, int rules>
class Complaints {
 public:
  void add(int rule, const Complaint& complaint) {
    ++count_;
    lowest_[rule] = lower(lowest_[rule], Lowest{true, complaint});
  }

  int64_t count() const { return count_; }

  /// From now on first_rule() and first() are those of all cores.
  /// From: task, on each core. Suspends: until all have called.
  void merge() {
    for (Lowest& lowest : lowest_) lowest = Grappa::allreduce<Lowest, lower>(lowest);
  }

  /// The lowest rule that there is a complaint about, and the lowest complaint about it. There is
  /// one.
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
