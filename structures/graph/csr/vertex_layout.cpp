#include "structures/graph/csr/vertex_layout.hpp"

#include "system/parallel/collective.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"

namespace Grappa::detail {

VertexLayout::VertexLayout(int64_t nv, size_t vertex_bytes)
    : nv_(nv),
      cores_(block_cyclic().cores()),
      log_bytes_(floor_log2(vertex_bytes)),
      log_in_block_(floor_log2(block_size) - log_bytes_) {
  GRAPPA_DCHECK(is_power_of_two(vertex_bytes) && vertex_bytes <= size_t{block_size});
  GRAPPA_CHECK(nv >= 0 && nv <= int64_t{1} << (62 - log_bytes_))
      << "invalid graph of " << nv << " vertices, expected 0 to 2^" << 62 - log_bytes_;
  set_most_vertices(vertices_of(0));
}

VertexLayout::VertexLayout(int64_t nv, size_t vertex_bytes, GlobalAddress<VertexID> firsts)
    : VertexLayout(nv, vertex_bytes) {
  firsts_ = firsts.pointer();
  int64_t most = 0;
  for (Core core = 0; core < cores(); ++core) most = std::max(most, vertices_of(core));
  set_most_vertices(most);
}

VertexLayout VertexLayout::with_vertex_bytes(size_t vertex_bytes) const {
  if (!has_ranges()) return VertexLayout(nv_, vertex_bytes);
  const int64_t n = cores() + 1;
  const auto copies = symmetric_global_alloc<VertexID>(n);
  const VertexID* const from = firsts_;
  on_all_cores([from, copies, n] { std::copy_n(from, n, copies.pointer()); });
  return VertexLayout(nv_, vertex_bytes, copies);
}

void VertexLayout::destroy() {
  if (has_ranges()) global_free(make_global(const_cast<VertexID*>(firsts_), 0));
}

void VertexLayout::set_most_vertices(int64_t most) {
  most_vertices_ = most;
  const auto indices = static_cast<uint64_t>(std::max<int64_t>(most, 64));
  index_bits_ = floor_log2(next_power_of_two(indices));
}

int64_t VertexLayout::elements() const {
  if (!has_ranges()) return nv_;
  const int64_t last = std::max<int64_t>(most_vertices_, 1) - 1;
  return index(static_cast<Core>(cores_ - 1), last) + 1;
}

int64_t VertexLayout::vertices_of(Core core) const {
  if (has_ranges()) return firsts_[core + 1] - firsts_[core];
  const int64_t blocks = nv_ >> log_in_block_;
  const int64_t cores = block_cyclic().cores();
  const int64_t whole = blocks / cores + (core < blocks % cores ? 1 : 0);
  const int64_t rest = core == blocks % cores ? nv_ - (blocks << log_in_block_) : 0;
  return (whole << log_in_block_) + rest;
}

namespace {

// Not measured. A boundary between two ranges is the boundary of a block, so if all blocks have
// equal work, the work of a core differs by at most an eighth from the mean.
constexpr int64_t kBlocksOfCore = 16;
constexpr int64_t kBlocks = 2048;  // with up to 128 cores; 32 KiB

}  // namespace

RangeSurvey::RangeSurvey(int64_t nv) : nv_(nv) {
  const int64_t most = std::max(kBlocks, kBlocksOfCore * cores());
  while (nv >> log_block_ > most) ++log_block_;
  const int64_t blocks = (nv >> log_block_) + 1;
  for (int64_t k = 0; k < blocks; ++k) {
    const int64_t share = k * cores() / blocks;
    const auto first_of = [blocks](int64_t core) {
      return (core * blocks + cores() - 1) / cores();
    };
    blocks_.push_back(Block{0, static_cast<Core>(share), first_of(share) << log_block_,
                            std::min(nv, first_of(share + 1) << log_block_) - 1});
  }
}

void RangeSurvey::sum_over_cores() {
  std::vector<int64_t> counts;
  for (const Block& block : blocks_) counts.push_back(block.degree);
  counts.push_back(edges_);
  counts.push_back(within_);
  allreduce_inplace<int64_t, collective_add>(counts.data(), int64_t(counts.size()));
  for (size_t k = 0; k < blocks_.size(); ++k) blocks_[k].degree = counts[k];
  edges_ = counts[blocks_.size()];
  within_ = counts[blocks_.size() + 1];
}

// If every edge joined two random ends, an edge would be within one share with the probability
// `random`. (M. Newman, M. Girvan, "Finding and Evaluating Community Structure in Networks",
// Physical Review E 69, 2004.) README.md has the rule, and the two graphs that it was chosen for.
bool RangeSurvey::equal_ranges_pay() const {
  constexpr double kNearlyAll = 0.9, kEven = 1.25;
  if (edges_ == 0) return false;
  std::vector<double> parts(static_cast<size_t>(cores()), 0);  // of all ends
  for (const Block& block : blocks_) {
    parts[static_cast<size_t>(block.share)] += double(block.degree) / (2 * double(edges_));
  }
  double random = 0;
  for (const double part : parts) random += part * part;
  return *std::max_element(parts.begin(), parts.end()) * double(cores()) <= kEven &&
         double(within_) >= double(edges_) * (random + kNearlyAll * (1 - random));
}

std::vector<VertexID> RangeSurvey::equal_ranges() const {
  std::vector<VertexID> firsts;
  for (int64_t core = 0; core < cores(); ++core) {
    firsts.push_back(nv_ / cores() * core + std::min(core, nv_ % cores()));
  }
  firsts.push_back(nv_);
  return firsts;
}

// The work for a vertex is its degree plus the mean degree, at least 1.
std::vector<VertexID> RangeSurvey::ranges_of_equal_work() const {
  const double mean_degree = 2 * double(edges_) / double(std::max<int64_t>(nv_, 1));
  const double vertex_work = std::max(mean_degree, 1.0);
  const double all = 2 * double(edges_) + vertex_work * double(nv_);
  std::vector<VertexID> firsts(1, 0);
  auto block = blocks_.begin();
  double before = 0;  // work for the ids below `v`
  VertexID v = 0;
  for (int64_t core = 1; core < cores(); ++core) {
    for (; block != blocks_.end() && before * double(cores()) < all * double(core); ++block) {
      const VertexID end = std::min(nv_, v + (VertexID{1} << log_block_));
      before += double(block->degree) + vertex_work * double(end - v);
      v = end;
    }
    firsts.push_back(v);
  }
  firsts.push_back(nv_);
  return firsts;
}

VertexLayout RangeSurvey::choose(GlobalAddress<RangeSurvey> survey, GraphLayout layout,
                                 size_t vertex_bytes) {
  on_all_cores([survey] { survey->sum_over_cores(); });
  const int64_t nv = survey->nv_;
  VertexLayout chosen(nv, vertex_bytes);
  if (layout == GraphLayout::Ranges || survey->equal_ranges_pay()) {
    const auto firsts = symmetric_global_alloc<VertexID>(cores() + 1);
    on_all_cores([survey, layout, firsts] {
      const std::vector<VertexID> mine =
          layout == GraphLayout::Ranges ? survey->ranges_of_equal_work() : survey->equal_ranges();
      std::copy(mine.begin(), mine.end(), firsts.pointer());
    });
    chosen = VertexLayout(nv, vertex_bytes, firsts);
  }
  global_free(survey);
  return chosen;
}

bool needs_survey(GraphLayout layout) {
  return layout == GraphLayout::Ranges || (layout == GraphLayout::Automatic && cores() > 1);
}

VertexLayout choose_layout(const TupleGraph& tuples, GraphLayout layout, size_t vertex_bytes) {
  const VertexLayout interleaved(tuples.nv, vertex_bytes);
  if (!needs_survey(layout)) return interleaved;
  const auto survey = symmetric<RangeSurvey>(tuples.nv);
  forall(tuples.edges, tuples.nedge, [survey](int64_t, int64_t count, TupleEdge* edges) {
    RangeSurvey* const mine = survey.pointer();
    for (const TupleEdge* e = edges; e != edges + count; ++e) mine->add(e->v0, e->v1);
  });
  return RangeSurvey::choose(survey, layout, vertex_bytes);
}

}  // namespace Grappa::detail
