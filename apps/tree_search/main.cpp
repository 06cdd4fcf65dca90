/// Creates a random tree in the global heap and counts the vertices of one colour in two ways: by
/// one task for each vertex, and by nested finishes. Compares both counts with a serial count.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/tree_search/search_verify.hpp"
#include "apps/tree_search/tree_search.hpp"

#include <algorithm>
#include <iostream>
#include <string>

DEFINE_int64(vertices, 100000, "number of vertices of the tree");
DEFINE_int64(most_children, 6, "largest number of children of a vertex");
DEFINE_int64(colours, 10, "number of colours");
DEFINE_int64(colour, 0, "the colour to count, less than --colours");
DEFINE_int64(seed, 1, "random seed of the tree");
DEFINE_int64(levels, 8, "upper levels with nested finishes; one task searches each subtree below");

namespace {

using namespace tree_search;

// The memory of a task that waits in a nested finish, whose stack has at least one page.
constexpr double kTaskBytes = 4096;

// Estimates how many tasks wait at a time. On average, a vertex has half of --most_children.
double waiting_tasks() {
  const double children = std::max(1.0, double(FLAGS_most_children) / 2);
  double tasks = 0, level = 1;
  for (int64_t k = 0; k < FLAGS_levels && tasks < double(FLAGS_vertices); ++k) {
    tasks += level;
    level *= children;
  }
  return std::min(tasks, double(FLAGS_vertices));
}

Parameters parameters_from_flags() {
  apps::check_range("vertices", FLAGS_vertices, 1, int64_t(1) << 40);
  apps::check_range("most_children", FLAGS_most_children, 1, 1000);
  apps::check_range("colours", FLAGS_colours, 1, 1 << 30);
  apps::check_range("colour", FLAGS_colour, 0, FLAGS_colours - 1);
  apps::check_range("levels", FLAGS_levels, 0, 1000);
  const double tree = double(sizeof(Vertex)) * double(FLAGS_vertices);
  apps::check_memory("a tree of --vertices=" + std::to_string(FLAGS_vertices) + " needs", tree);
  const double tasks = waiting_tasks();
  apps::check_memory("--levels: " + std::to_string(int64_t(tasks)) + " waiting tasks need",
                     tree + kTaskBytes * tasks);
  return {FLAGS_vertices, FLAGS_most_children, FLAGS_colours, FLAGS_seed};
}

// Prints the result and the time of `search()`. If it is wrong, prints a message and returns false.
template <class F>
bool report(const char* how, int64_t expected, F search) {
  int64_t counted = 0;
  const double seconds = apps::seconds_of([&] { counted = search(); });
  if (apps::report_wrong("tree_search", wrong_count(how, counted, expected))) return false;
  std::cout << how << ": " << counted << " vertices, seconds: " << apps::number("%.6f", seconds)
            << std::endl;
  return true;
}

bool search_tree() {
  const Parameters parameters = parameters_from_flags();
  const int32_t colour = int32_t(FLAGS_colour);
  const int levels = int(FLAGS_levels);
  std::cout << "vertices: " << parameters.vertices << "\ncolour: " << colour << " of "
            << parameters.colours << "\ncores: " << Grappa::cores() << std::endl;
  const int64_t expected = count_serially(parameters, colour);
  const Tree tree = make_tree(parameters);
  const bool by_tasks = report("tasks", expected, [=] { return count_by_tasks(tree, colour); });
  const bool by_finish = report("nested finish", expected,
                                [=] { return count_by_nested_finish(tree, colour, levels); });
  Grappa::global_free(tree);
  if (by_tasks && by_finish) std::cout << "verified" << std::endl;
  return by_tasks && by_finish;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &search_tree); }
