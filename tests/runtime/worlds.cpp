/// A program for worlds_test.sh, which starts it in all supported ways.

#include <Grappa.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

bool mpi_is_loaded() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/libmpi") != std::string::npos) return true;
  }
  return false;
}

/// Checks that a child process sees nothing of the job.
int children() {
  return std::system(
      "env | grep ^GRAPPA_JOB= && exit 1;"
      "ls -l /proc/self/fd | grep memfd: && exit 1; exit 0");
}

}  // namespace

using namespace Grappa;

int main(int argc, char* argv[]) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "fail_before_init") std::raise(SIGSEGV);
  if (mode == "signal_before_init") std::raise(SIGUSR1);
  if (mode == "children" && children() != 0) return 1;
  init(&argc, &argv);
  CHECK(mode != "fail") << "all cores fail at once";
  run([] {
    const GlobalAddress<int64_t> words = global_alloc<int64_t>(1000);
    forall(words, 1000, [](int64_t& word) { word = 0; });
    on_all_cores([words] {
      forall_here(0, 1000,
                  [words](int64_t k) { delegate::increment<async>(words + k, int64_t{1}); });
    });
    const int64_t count = delegate::read(words + 999);
    global_free(words);
    std::printf("counted %d cores, MPI is %s\n", static_cast<int>(count),
                mpi_is_loaded() ? "loaded" : "not loaded");
  });
  return finalize();
}
