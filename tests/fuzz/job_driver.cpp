/// Calls check_input() of a fuzz test on all cores for --seconds. Iteration k of seed s always has
/// the same files. Each core may take kMostSeconds and kMostGrowth for an input.

#include "tests/fuzz/job_fuzz.hpp"

#include <Grappa.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <gflags/gflags.h>
#include <random>

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

DEFINE_double(seconds, 1, "duration of the test in seconds");
DEFINE_int64(seed, -1, "seed of the inputs; -1: a random seed");
DEFINE_int64(iteration, -1, "run only this iteration; -1: all iterations");
DEFINE_string(folder, "", "the files of an input are written to this folder");
DEFINE_string(note, "",
              "the flags that repeat an input are written to this file before it is read");

namespace {

using namespace Grappa;

constexpr unsigned kMostSeconds = 60;
constexpr rlim_t kMostGrowth = rlim_t{2} << 30;  // of the address space, in bytes

// A larger allocation fails.
void limit_memory() {
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  GRAPPA_CHECK(pages > 0);
  const rlim_t most = rlim_t(pages) * rlim_t(::sysconf(_SC_PAGESIZE)) + kMostGrowth;
  const rlimit limit = {most, most};
  GRAPPA_CHECK(::setrlimit(RLIMIT_AS, &limit) == 0);
}

void empty(const std::string& folder) {
  DIR* const stream = ::opendir(folder.c_str());
  GRAPPA_CHECK(stream != nullptr) << "--folder: cannot open " << folder;
  while (const dirent* entry = ::readdir(stream)) {
    if (entry->d_name[0] != '.') std::remove((folder + "/" + entry->d_name).c_str());
  }
  ::closedir(stream);
}

void run_inputs() {
  typedef std::chrono::steady_clock Clock;
  const int64_t seed =
      FLAGS_seed >= 0 ? FLAGS_seed : static_cast<int64_t>(std::random_device()() & 0xffffff);
  std::printf("--seed=%lld\n", static_cast<long long>(seed));
  std::fflush(stdout);
  on_all_cores([] { limit_memory(); });
  const auto end = Clock::now() + std::chrono::duration<double>(FLAGS_seconds);
  int64_t iteration = FLAGS_iteration >= 0 ? FLAGS_iteration : 0;
  do {
    fuzz::write_file(FLAGS_note, "--seed=" + std::to_string(seed) +
                                     " --iteration=" + std::to_string(iteration) + "\n");
    empty(FLAGS_folder);
    on_all_cores([] { ::alarm(kMostSeconds); });
    SplitMix64 random(static_cast<uint64_t>(seed) * 0x9e3779b97f4a7c15 +
                      static_cast<uint64_t>(iteration));
    fuzz::check_input(FLAGS_folder, &random);
    ++iteration;
  } while (FLAGS_iteration < 0 && Clock::now() < end);
  on_all_cores([] { ::alarm(0); });
  std::printf("%lld inputs\n", static_cast<long long>(iteration));
}

}  // namespace

void fuzz::write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  GRAPPA_CHECK(file.flush()) << "cannot write " << path;
}

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] { run_inputs(); });
  return Grappa::finalize();
}
