#include "apps/common/graph_source.hpp"

#include "apps/common/flags.hpp"
#include "apps/common/generated_graph.hpp"
#include "apps/common/memory.hpp"
#include "apps/common/program.hpp"
#include "structures/graph/csr_edges.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/file/list_save.hpp"
#include "structures/graph/relabel.hpp"
#include "structures/text/open_file.hpp"
#include "structures/text/quoted.hpp"
#include "system/base/input_error.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

DEFINE_string(
    graph, "",
    "graph file to read instead of generating: .el .wel .tsv .txt, .mtx .mm, .graph .metis, "
    ".sg .wsg, .bintsv4, .graph500 or .packed48; text files may be compressed (.gz, .zst)");
DEFINE_string(graph_format, "",
              "format of --graph, for a file with an unknown suffix: el, wel, tsv, mm, metis, sg, "
              "wsg, bintsv4, graph500 or packed48");
DEFINE_string(load, "", "undirected graph to load, from a file that --save has written");
DEFINE_string(save, "",
              "output file for the built graph, which --load can read; with a suffix of --graph, "
              "the file has that format");
DEFINE_string(
    layout, "automatic",
    "distribution of the vertices over the cores: ranges (consecutive vertices), interleaved, "
    "or automatic (ranges if nearly all edges would stay within one core)");
DEFINE_bool(relabel, false, "renumber vertices by degree internally; output has original ids");

namespace apps {
namespace {

using Grappa::GlobalAddress;
using Grappa::TupleEdge;
using Grappa::TupleGraph;
using Grappa::VertexID;
using Grappa::detail::GraphFormat;

constexpr int64_t kLargestScale = 40;

GraphFormat format_of(const std::string& path) { return Grappa::detail::graph_format(path, ""); }

double bytes_of(const GeneratedSize& size, BytesNeeded needed) {
  const double relabel = FLAGS_relabel ? 16.0 * double(size.nv) : 0;
  return Grappa::detail::tuple_bytes_needed(size.nedge) + relabel + needed(size.nv, size.nedge);
}

void say_memory(double bytes, double available, int64_t nedge, const std::string& advice) {
  std::cout << "memory: " << Grappa::detail::human_bytes(bytes) << " for the graph";
  if (nedge > 0) std::cout << ", " << std::llround(bytes / double(nedge)) << " bytes an edge";
  std::cout << ", of " << Grappa::detail::human_bytes(available) << advice << std::endl;
}

// Checks, before a long step, that the file of --save can be written. Keeps its contents.
void check_save() {
  if (FLAGS_relabel) {
    Grappa::input_error("--save cannot store the numbers of --relabel: give only one of the two");
  }
  const std::string flag = "--save=" + Grappa::detail::printable(FLAGS_save) + ": ";
  const std::string unwritable = Grappa::detail::why_unwritable(FLAGS_save, format_of(FLAGS_save));
  if (!unwritable.empty()) Grappa::input_error(flag + unwritable);
  Grappa::detail::NewFile file(FLAGS_save);
  if (file.problem().empty() && file.make()) return;
  Grappa::input_error(flag + file.problem());
}

// --load does not read the formats of --graph.
void check_load() {
  if (format_of(FLAGS_load) == GraphFormat::kUnknown) return;
  Grappa::input_error("--load=" + Grappa::detail::printable(FLAGS_load) +
                      ": the suffix selects a format that only --graph reads; rename the file if "
                      "it is a saved graph");
}

// places[v] = number of vertices from 0 to v, including v, that have a value.
GlobalAddress<int64_t> count_values(GlobalAddress<int64_t> value, int64_t nv) {
  const auto places = Grappa::global_alloc<int64_t>(nv);
  Grappa::forall(value, nv, [places](int64_t v, int64_t& its) {
    *(places + v).pointer() = its >= 0 ? 1 : 0;  // this core owns both elements
  });
  Grappa::prefix_sum(places, nv);
  return places;
}

// Orders values by original ids, which users see. If `rename_values`, the values are ids, too.
GlobalAddress<int64_t> by_original(GlobalAddress<int64_t> value, int64_t nv,
                                   GlobalAddress<VertexID> original, bool rename_values) {
  const auto named = Grappa::global_alloc<int64_t>(nv);
  Grappa::forall(value, nv, [named, original, rename_values](int64_t v, int64_t& its) {
    const bool rename = rename_values && its >= 0;
    const int64_t known = rename ? Grappa::delegate::read(original + its) : its;
    Grappa::delegate::write<Grappa::async>(named + *(original + v).pointer(), known);
  });
  return named;
}

}  // namespace

void check_graph_flags() {
  layout_of_flag();
  check_generator_flags(kLargestScale);
  for (const char* flag : {"graph", "generator", "scale", "edgefactor", "relabel", "save"}) {
    if (!FLAGS_load.empty() && is_given(flag)) {
      Grappa::input_error("--load cannot be combined with --" + std::string(flag));
    }
  }
  if (!FLAGS_load.empty()) check_load();
  if (!FLAGS_save.empty()) check_save();
}

Grappa::GraphLayout layout_of_flag() {
  constexpr Grappa::GraphLayout kLayouts[] = {Grappa::GraphLayout::Automatic,
                                              Grappa::GraphLayout::Interleaved,
                                              Grappa::GraphLayout::Ranges};
  return kLayouts[check_choice("layout", FLAGS_layout, {"automatic", "interleaved", "ranges"})];
}

double slots_at_most(int64_t nv) {
  const double per_vertex = layout_of_flag() == Grappa::GraphLayout::Interleaved ? 2 : 4;
  return per_vertex * double(nv) + 64.0 * Grappa::cores();
}

void check_values_file(const char* flag, const std::string& path) {
  const GraphFormat format = format_of(path);
  std::string problem = Grappa::detail::why_unwritable(path, format);
  if (problem.empty() && format != GraphFormat::kUnknown && !Grappa::detail::holds_pairs(format)) {
    problem = std::string("the format ") + Grappa::detail::format_name(format) +
              " cannot hold a value for each vertex; write an edge list (el)";
  }
  if (problem.empty()) return check_writable(flag, path);
  Grappa::input_error("--" + std::string(flag) + "=" + Grappa::detail::printable(path) + ": " +
                      problem);
}

int64_t vertices_at_most() {
  const bool generated = FLAGS_graph.empty() && FLAGS_load.empty();
  return generated ? generated_size(FLAGS_scale).nv : std::numeric_limits<int64_t>::max();
}

GraphSource::GraphSource(BytesNeeded needed, Grappa::Attributes attributes)
    : resident_before_(Grappa::sum_all_cores(&resident_bytes)) {
  if (!FLAGS_load.empty()) return;
  if (FLAGS_graph.empty()) {
    generate(needed);
  } else {
    read(needed, attributes);
  }
  if (FLAGS_relabel) original_ids_ = Grappa::relabel_by_degree(&tuples_);
}

GraphSource::~GraphSource() {
  if (tuples_.edges) tuples_.destroy();
  if (original_ids_) Grappa::global_free(original_ids_);
}

const TupleGraph& GraphSource::tuples() {
  if (lists_ && !tuples_.edges) tuples_ = Grappa::edges_of(lists_, false);
  return tuples_;
}

void GraphSource::generate(BytesNeeded needed) {
  const GeneratedSize size = generated_size(FLAGS_scale);
  const double bytes = bytes_of(size, needed), available = available_over_all();
  const bool grid = is_generated_grid();
  int64_t largest = grid ? 0 : kLargestScale;  // the largest scale that fits; 0 if none fits
  while (largest > 0 && bytes_of(generated_size(largest), needed) > available) --largest;
  const std::string advice =
      grid ? "" : "; the largest scale that fits is " + std::to_string(largest);
  const std::string what = grid ? generated_description()
                                : "graph of --scale=" + std::to_string(FLAGS_scale) +
                                      " --edgefactor=" + std::to_string(FLAGS_edgefactor);
  check_memory("a " + what + " needs", bytes, available, largest > 0 ? advice : "");
  say_memory(bytes, available, size.nedge, advice);
  const double start = Grappa::walltime();
  tuples_ = generate_graph<TupleGraph>();
  seconds_ = Grappa::walltime() - start;
}

void GraphSource::read(BytesNeeded needed, Grappa::Attributes attributes) {
  const double available = available_over_all();
  const double start = Grappa::walltime();
  tuples_ = TupleGraph::Load(FLAGS_graph, FLAGS_graph_format, attributes);
  seconds_ = Grappa::walltime() - start;
  const double attribute_bytes =
      tuples_.attributes ? double(sizeof(Grappa::EdgeAttributes)) * double(tuples_.nedge) : 0;
  const double bytes = attribute_bytes + bytes_of(GeneratedSize{tuples_.nv, tuples_.nedge}, needed);
  check_memory("--graph=" + Grappa::detail::printable(FLAGS_graph) + " needs", bytes, available);
  say_memory(bytes, available, tuples_.nedge, "");
}

std::string GraphSource::description() const {
  if (!FLAGS_load.empty()) return FLAGS_load;
  if (!FLAGS_graph.empty()) return FLAGS_graph;
  return generated_description();
}

void GraphSource::check_undirected(bool directed) {
  if (!directed) return;
  Grappa::input_error("--load=" + Grappa::detail::printable(FLAGS_load) +
                      ": the graph is directed, but this program works on undirected graphs; save "
                      "a graph from Graph::Undirected, or give the edges with --graph");
}

// Only the order of the edges in a file of edges depends on the number of cores.
void GraphSource::save(GlobalAddress<Grappa::detail::Csr> lists) {
  const GraphFormat format = format_of(FLAGS_save);
  bool saved;
  std::string error;
  if (format == GraphFormat::kUnknown) {
    saved = Grappa::detail::try_save_csr(lists, false, FLAGS_save, &error);
  } else if (!Grappa::detail::holds_pairs(format)) {
    saved = Grappa::detail::try_save_lists(lists, format, FLAGS_save, &error);
  } else {
    TupleGraph edges = Grappa::edges_of(lists, false);
    saved = edges.try_save(FLAGS_save, "", &error);
    edges.destroy();
  }
  if (!saved) Grappa::input_error(error);
}

void GraphSource::begin_construction() {
  Grappa::on_all_cores([] { reset_peak(); });
  start_ = Grappa::walltime();
}

void GraphSource::end_construction() {
  construction_seconds_ = Grappa::walltime() - start_;
  construction_peak_bytes_ = Grappa::sum_all_cores(&peak_resident_bytes) - resident_before_;
}

void GraphSource::report_with(const Grappa::detail::VertexLayout& layout, double graph_bytes,
                              Json* run) const {
  Json& report = *run;
  report["graph"] = description();
  if (FLAGS_load.empty() && FLAGS_graph.empty() && FLAGS_generator == "kronecker") {
    report["SCALE"] = FLAGS_scale;
    report["edgefactor"] = FLAGS_edgefactor;
    report["seed"] = static_cast<uint64_t>(FLAGS_seed);
  }
  report["vertices"] = layout.nv();
  report["layout"] = layout.has_ranges() ? "ranges" : "interleaved";
  report["edges"] = tuples_.nedge;
  report["num_mpi_processes"] = Grappa::cores();
  report["graph_generation"] = seconds_;
  report["construction_time"] = construction_seconds_;
  report["construction_peak_bytes"] = construction_peak_bytes_;
  report["graph_bytes"] = graph_bytes;
}

void GraphSource::write_values(const char* flag, const std::string& path,
                               GlobalAddress<int64_t> value, bool value_is_vertex) const {
  if (path.empty()) return;
  const int64_t nv = tuples_.nv;
  const GlobalAddress<int64_t> named =
      original_ids_ ? by_original(value, nv, original_ids_, value_is_vertex) : value;
  const GlobalAddress<int64_t> places = count_values(named, nv);
  TupleGraph pairs;
  pairs.nedge = Grappa::delegate::read(places + (nv - 1));
  pairs.edges = Grappa::global_alloc<TupleEdge>(std::max<int64_t>(pairs.nedge, 1));
  const GlobalAddress<TupleEdge> edges = pairs.edges;
  Grappa::forall(named, nv, [places, edges](int64_t v, int64_t& its) {
    if (its < 0) return;
    const TupleEdge pair = {v, its};
    const int64_t place = *(places + v).pointer() - 1;
    Grappa::delegate::call<Grappa::async>(edges + place, [pair](TupleEdge& e) { e = pair; });
  });
  Grappa::global_free(places);
  if (original_ids_) Grappa::global_free(named);
  pairs.nv = int64_t(1) << 62;  // makes every value a valid id
  const bool known = format_of(path) != GraphFormat::kUnknown;
  std::string error;
  const bool written = pairs.try_save(path, known ? "" : "el", &error);
  pairs.destroy();
  if (!written) Grappa::input_error("--" + std::string(flag) + ": " + error);
}

VertexID GraphSource::original(VertexID v) const {
  return original_ids_ ? Grappa::delegate::read(original_ids_ + v) : v;
}

VertexID GraphSource::current(VertexID original) const {
  if (!original_ids_) return original;
  static Grappa::Reducer<VertexID, Grappa::ReducerType::Max> found;
  found.reset();
  Grappa::forall(original_ids_, tuples_.nv, [original](int64_t v, VertexID& its_original) {
    if (its_original == original) found << v;
  });
  return found;
}

}  // namespace apps
