/// A demo program of the original Grappa that searches a tree. The search uses recursive async
/// loops, and waits once for the default event.

#include <GlobalVector.hpp>
#include <Grappa.hpp>

using namespace Grappa;

DEFINE_uint64(log_vertices, 10, "log2 of the number of vertices");
#define NUM_VERTICES (1L << FLAGS_log_vertices)

using index_t = uint64_t;

struct Vertex {
  index_t id, num_children, first_child;
  long color;
};

GlobalAddress<Vertex> vertex_array;
GlobalAddress<GlobalVector<index_t>> results;

void create_tree() {
  auto _vertex_array = global_alloc<Vertex>(NUM_VERTICES);
  on_all_cores([_vertex_array] { vertex_array = _vertex_array; });
  forall<async>(vertex_array, NUM_VERTICES, [](int64_t i, Vertex& v) {
    v.id = static_cast<index_t>(i);
    v.color = i % 10;
    v.first_child = static_cast<index_t>(2 * i + 1);
    v.num_children = 2 * i + 2 < NUM_VERTICES ? 2 : 0;
  });
  default_gce().wait();
}

void search(index_t vertex_index, long color) {
  Vertex v = delegate::read(vertex_array + static_cast<int64_t>(vertex_index));
  if (v.color == color) results->push(v.id);
  forall<unbound, async>(static_cast<int64_t>(v.first_child), static_cast<int64_t>(v.num_children),
                         [color](int64_t i) { search(static_cast<index_t>(i), color); });
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    create_tree();
    auto results_vector = GlobalVector<index_t>::create(NUM_VERTICES);
    on_all_cores([results_vector] { results = results_vector; });
    {
      index_t root = 0;
      search(root, 7);
      default_gce().wait();
    }
    std::cout << "found " << results->size() << " in color 7" << std::endl;
    LOG(INFO) << util::array_str("results (first 10)", results->begin(),
                                 std::min(results->size(), (size_t)10));
  });
  finalize();
  return 0;
}
