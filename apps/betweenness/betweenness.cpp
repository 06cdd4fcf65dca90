#include "apps/betweenness/betweenness.hpp"

#include "apps/betweenness/path_scale.hpp"
#include "apps/common/bitmap.hpp"
#include "apps/common/charge.hpp"
#include "apps/common/neighbour_sum.hpp"
#include "structures/graph/mirror.hpp"
#include "system/base/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace betweenness {
namespace {

using Grappa::GlobalAddress;
using Grappa::Mirror;
using Grappa::VertexID;

constexpr int64_t kLargeShare = 20;  // a large level has 1/20 of all entries; not measured

/// A level of a search on one core or on all cores.
struct Level {
  int64_t vertices, entries;
  double least, most;  // of the numbers of paths
};
Level merge(const Level& a, const Level& b) {
  return Level{a.vertices + b.vertices, a.entries + b.entries, std::min(a.least, b.least),
               std::max(a.most, b.most)};
}

/// The vertices of one core. Slot: uint32_t or uint64_t, as in the lists.
template <class Slot>
class Part {
 public:
  Part(GlobalAddress<ScoreGraph> g, Mirror<double>* values)
      : lists_(g->csr()),
        layout_(lists_.layout()),
        values_(*values),
        level_(size()),
        paths_(size()),
        shares_(size()),
        scores_(size(), 0) {
    reached_.reserve(size());
    current_ = this;
  }

  /// Adds the scores of the paths from one source. From: a task on every core, at the same time.
  void add_source(VertexID source) {
    std::fill(level_.begin(), level_.end(), kUnreached);
    std::fill(shares_.begin(), shares_.end(), 0);
    apps::charge(int64_t(size()), kFillNs);
    reached_.clear();
    first_.assign(1, 0);
    levels_.clear();
    exponents_.clear();
    Grappa::barrier();  // before the first message arrives
    if (layout_.core(source) == Grappa::mycore()) add_paths(layout_.place(source), 0, 1);
    count_paths();
    // The shares of level 1 would only add to that of the source, which has no score.
    for (int32_t level = int32_t(levels_.size()) - 1; level > 1; --level) collect_shares(level);
    for (const Slot place : reached_) {
      if (level_[place] > 0) scores_[place] += paths_[place] * shares_[place];
    }
  }

  double score(size_t place) const { return scores_[place]; }

 private:
  static constexpr int32_t kUnreached = -1;
  static constexpr double kFillNs = 1, kVertexNs = 10, kEntryNs = 2;  // charged

  size_t size() const { return static_cast<size_t>(lists_.vertices()); }

  // Counts `paths` more paths to a vertex of this core, if no shorter path leads to it.
  void add_paths(int64_t place, int32_t level, double paths) {
    const size_t at = static_cast<size_t>(place);
    if (level_[at] == kUnreached) {
      level_[at] = level;
      paths_[at] = 0;
      reached_.push_back(Slot(place));
    }
    if (level_[at] == level) paths_[at] += paths;
  }

  // Adds a share of a successor at `level` to a vertex of this core, if it is one level before.
  void add_share(int64_t place, int32_t level, double share) {
    const size_t at = static_cast<size_t>(place);
    if (level_[at] == level - 1) shares_[at] += share;
  }

  void count_paths() {
    for (int32_t level = 0;; ++level) {
      const Level all = Grappa::allreduce<Level, merge>(take_level(level));  // acts as a barrier
      if (all.vertices == 0) return;
      levels_.push_back(all);
      scale_paths(level, all);
      if (is_large(level)) {
        pull_paths(level);
      } else {
        push<&Part::add_paths>(level, level + 1, [this](size_t place) { return paths_[place]; });
      }
    }
  }

  // Ends the list of the vertices of a level. No core may send messages meanwhile.
  Level take_level(int32_t level) {
    const size_t begin = first_.back();
    first_.push_back(reached_.size());
    Level mine = {int64_t(reached_.size() - begin), 0, HUGE_VAL, 0};
    for (size_t k = begin; k < reached_.size(); ++k) mine.entries += lists_.size(reached_[k]);
    if (level % kScaledLevels != 0) return mine;
    for (size_t k = begin; k < reached_.size(); ++k) {
      mine.least = std::min(mine.least, paths_[reached_[k]]);
      mine.most = std::max(mine.most, paths_[reached_[k]]);
    }
    return mine;
  }

  // Divides the numbers of paths of a level by a power of two, if they are large.
  void scale_paths(int32_t level, const Level& all) {
    const int exponent = scale_of_level(level, all.least, all.most);
    exponents_.push_back(exponent);
    if (exponent == 0) return;
    for_level(level,
              [this, exponent](size_t at) { paths_[at] = std::ldexp(paths_[at], -exponent); });
  }

  bool is_large(int32_t level) const {
    return levels_[size_t(level)].entries > lists_.all_entries() / kLargeShare;
  }

  // Calls `body(place)` for the vertices of this core at a level.
  template <class F>
  void for_level(int32_t level, const F& body) const {
    for (size_t k = first_[size_t(level)]; k < first_[size_t(level) + 1]; ++k) {
      body(size_t(reached_[k]));
    }
  }

  // Sends value(place) of the vertices of this core at a level to their neighbours, which call
  // `add` with `label` and the value. Returns when the messages of all cores are complete.
  template <void (Part::*add)(int64_t, int32_t, double), class Value>
  void push(int32_t level, int32_t label, const Value& value) {
    const size_t first = first_[size_t(level)];
    const size_t n = first_[size_t(level) + 1] - first;
    const auto place_of = [this, first](size_t i) { return int64_t(reached_[first + i]); };
    Grappa::forall_here(0, int64_t(n), [this, n, label, place_of, &value](int64_t i) {
      const auto neighbours = apps::scattered_list<Slot>(lists_, size_t(i), n, place_of);
      const double sent = value(size_t(place_of(size_t(i))));
      for (const Slot slot : neighbours) {
        const Slot place = Slot(layout_.place_of_slot(slot));
        const Grappa::Core owner = layout_.core_of_slot(slot);
        if (owner == Grappa::mycore()) {
          (this->*add)(place, label, sent);
        } else {
          Grappa::delegate::call<Grappa::async>(
              owner, [place, label, sent] { (current_->*add)(place, label, sent); });
        }
      }
      apps::charge(neighbours.last - neighbours.first, kEntryNs);
    });
    apps::charge(int64_t(n), kVertexNs);
    Grappa::barrier();
  }

  // Makes value(place) of the vertices at a level visible to all cores, and 0 for all others.
  template <class Value>
  void publish(int32_t level, const Value& value) {
    double* const own = values_.own();
    std::fill_n(own, size(), 0);
    for_level(level, [own, &value](size_t place) { own[place] = value(place); });
    apps::charge(int64_t(size()), kFillNs);
    values_.refresh_here(true);
  }

  // The sum of the published values of the neighbours of a vertex.
  double pull(size_t place) const {
    const auto neighbours = apps::list_of<Slot>(lists_, int64_t(place));
    apps::charge(neighbours.end() - neighbours.begin(), kEntryNs);
    return apps::sum_of_neighbours(values_.values(), neighbours);
  }

  void pull_paths(int32_t level) {
    publish(level, [this](size_t place) { return paths_[place]; });
    for (size_t place = 0; place < size(); ++place) {
      if (level_[place] != kUnreached) continue;
      const double paths = pull(place);
      if (paths > 0) add_paths(int64_t(place), level + 1, paths);
    }
  }

  // The share that each predecessor of a vertex gets for each of its own paths.
  double share_of(size_t place, int32_t level) const {
    const double score = paths_[place] * shares_[place];
    return std::ldexp((1 + score) / paths_[place], -exponents_[size_t(level)]);
  }

  // Adds the shares of the vertices at a level to those of their predecessors.
  void collect_shares(int32_t level) {
    const auto share = [this, level](size_t place) { return share_of(place, level); };
    if (!is_large(level)) return push<&Part::add_share>(level, level, share);
    publish(level, share);
    for_level(level - 1, [this](size_t place) { shares_[place] = pull(place); });
  }

  static Part* current_;  // the object of this core

  const Grappa::detail::Csr& lists_;
  const Grappa::detail::VertexLayout& layout_;
  Mirror<double>& values_;
  std::vector<int32_t> level_;  // by local index: distance from the source
  std::vector<double> paths_;   // by local index: number of shortest paths from the source
  std::vector<double> shares_;  // by local index: the sum of the shares of the successors
  std::vector<double> scores_;  // by local index: the sum over all sources
  std::vector<Slot> reached_;   // local indices, in the order of the levels
  std::vector<size_t> first_;   // by level: the index of its first vertex in reached_
  std::vector<Level> levels_;   // of all cores
  std::vector<int> exponents_;  // by level: paths_ has the number of paths divided by 2^exponent
};

template <class Slot>
Part<Slot>* Part<Slot>::current_ = nullptr;

template <class Slot>
void find(GlobalAddress<ScoreGraph> g, const std::vector<VertexID>& sources) {
  const GlobalAddress<Mirror<double>> values = Mirror<double>::create(g);
  const GlobalAddress<VertexID> all = Grappa::global_alloc<VertexID>(int64_t(sources.size()) + 1);
  const int64_t n = int64_t(sources.size());
  Grappa::memcpy(all, sources.data(), n);
  Grappa::on_all_cores([g, values, all, n] {
    Part<Slot> part(g, values.pointer());
    for (int64_t k = 0; k < n; ++k) part.add_source(Grappa::delegate::read(all + k));
    size_t place = 0;
    for (ScoreGraph::Vertex& v : g->own_vertices()) v->score = part.score(place++);
    Grappa::barrier();  // other cores may still send messages to this part
  });
  Grappa::global_free(all);
  values->destroy();
}

}  // namespace

void find_scores(GlobalAddress<ScoreGraph> g, const std::vector<VertexID>& sources) {
  GRAPPA_CHECK(!g->directed) << "the scores of a directed graph: lists have out-neighbours only";
  if (g->csr().slot_bytes() == sizeof(uint32_t)) {
    find<uint32_t>(g, sources);
  } else {
    find<uint64_t>(g, sources);
  }
}

}  // namespace betweenness
