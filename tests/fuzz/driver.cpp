/// Calls a fuzz target with mutations of its corpus for --seconds. Iteration k of seed s is always
/// the same input. A failure prints both numbers, and --seed=s --iteration=k repeats the input.

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/mutate.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <gflags/gflags.h>
#include <random>

#include <unistd.h>

DEFINE_double(seconds, 1, "duration of the test in seconds");
DEFINE_int64(seed, -1, "seed of the mutations; -1: a random seed");
DEFINE_int64(iteration, -1, "run only this iteration; -1: all iterations");

// Defined by the sanitizer runtime, if the program has one.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

using Grappa::SplitMix64;

constexpr size_t kMostBytes = 4096;

int64_t seed;
int64_t iteration = -1;  // -1: the corpus itself
std::string input;

void tell_input() {
  std::fprintf(stderr, "fuzz: died in --seed=%lld --iteration=%lld, of %zu bytes:\n\"",
               static_cast<long long>(seed), static_cast<long long>(iteration), input.size());
  for (const char c : input) std::fprintf(stderr, "\\x%02x", static_cast<unsigned char>(c));
  std::fputs("\"\n", stderr);
}

void die(int signal) {
  tell_input();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string mutation(const std::vector<std::string>& corpus, int64_t number) {
  SplitMix64 random(static_cast<uint64_t>(seed) * 0x9e3779b97f4a7c15 +
                    static_cast<uint64_t>(number));
  const int64_t n = static_cast<int64_t>(corpus.size());
  std::string text = corpus[static_cast<size_t>(random.below(n))];
  for (int64_t left = 1 + random.below(8); left > 0; --left) {
    fuzz::mutate(&text, corpus[static_cast<size_t>(random.below(n))], kMostBytes, &random);
  }
  return text;
}

void run_input() {
  // AddressSanitizer detects reads past the end of a copy that has exactly the size of the input.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char* argv[]) {
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  seed = FLAGS_seed >= 0 ? FLAGS_seed : static_cast<int64_t>(std::random_device()() & 0xffffff);
  std::printf("--seed=%lld\n", static_cast<long long>(seed));
  std::fflush(stdout);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, &die);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(&tell_input);

  const std::vector<std::string> corpus = fuzz::corpus();
  for (const std::string& valid : corpus) {
    input = valid;
    run_input();
  }
  typedef std::chrono::steady_clock Clock;
  const auto end = Clock::now() + std::chrono::duration<double>(FLAGS_seconds);
  iteration = FLAGS_iteration >= 0 ? FLAGS_iteration : 0;
  do {
    input = mutation(corpus, iteration);
    run_input();
    ++iteration;
  } while (FLAGS_iteration < 0 && Clock::now() < end);
  std::printf("%lld inputs\n", static_cast<long long>(iteration));
  return 0;
}
