#pragma once

#include "structures/graph/tuple_graph.hpp"

#include <Grappa.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

namespace Grappa {

typedef std::vector<TupleEdge> Edges;

inline Edges edges_of(const TupleGraph& graph) {
  Edges edges(static_cast<size_t>(graph.nedge));
  memcpy(edges.data(), graph.edges, graph.nedge);
  return edges;
}

/// A file on the disk of core 0, shared by all cores of the test.
class GraphFile {
 public:
  GraphFile(const std::string& suffix, const std::string& text)
      : path_(testing::TempDir() + "grappa_graph_" + std::to_string(getpid()) + suffix) {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    GRAPPA_CHECK(file) << "cannot write " << path_;
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  ~GraphFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A directory that is removed with its files.
class Folder {
 public:
  Folder() : path_(testing::TempDir() + "grappa_graphs_XXXXXX") {
    GRAPPA_CHECK(::mkdtemp(&path_[0])) << "cannot create " << path_;
  }
  ~Folder() {
    for (const std::string& name : names()) std::remove(file(name).c_str());
    std::remove(path_.c_str());
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(path_.c_str()), &::closedir);
    while (const dirent* entry = ::readdir(stream.get())) {
      if (std::string(entry->d_name).find_first_not_of('.') != std::string::npos) {
        found.push_back(entry->d_name);
      }
    }
    return found;
  }

 private:
  std::string path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

/// Returns the message of try_load for a path.
inline std::string error_of(const std::string& path, const std::string& format) {
  TupleGraph graph;
  std::string error;
  EXPECT_FALSE(TupleGraph::try_load(path, format, &graph, &error));
  return error;
}

/// Returns the message of try_load for a file with this text, without the path at the start of the
/// message.
inline std::string problem_of(const std::string& suffix, const std::string& text) {
  const GraphFile file(suffix, text);
  TupleGraph graph;
  std::string error;
  if (TupleGraph::try_load(file.path(), "", &graph, &error)) {
    graph.destroy();
    return "none";
  }
  EXPECT_EQ(error.compare(0, file.path().size(), file.path()), 0) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error.substr(file.path().size());
}

inline void expect_graph(const std::string& suffix, const std::string& text, int64_t nv,
                         const Edges& edges) {
  const GraphFile file(suffix, text);
  TupleGraph graph;
  std::string error;
  ASSERT_TRUE(TupleGraph::try_load(file.path(), "", &graph, &error)) << error;
  EXPECT_EQ(graph.nv, nv);
  EXPECT_EQ(edges_of(graph), edges);
  graph.destroy();
}

/// Limits the size of files on all cores, to simulate a full disk. RLIM_INFINITY removes the limit.
/// From: task. Suspends: until all cores have set the limit.
inline void limit_files(rlim_t bytes) {
  on_all_cores([bytes] {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit;
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  });
}

}  // namespace Grappa
