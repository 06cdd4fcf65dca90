/// Calls a fuzz target with mutations of its corpus for --seconds. Iteration k of seed s is always
/// the same input. A failure prints both numbers, and --seed=s --iteration=k repeats the input.

#include "tests/fuzz/fuzz.hpp"
#include "tests/harness/random.hpp"

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

size_t place_in(const std::string& text, SplitMix64* random) {
  return static_cast<size_t>(random->below(static_cast<int64_t>(text.size()) + 1));
}

/// Tokens that parsers of numbers and lines often handle wrongly.
std::string token(SplitMix64* random) {
  static const std::vector<std::string> tokens = {"\n",
                                                  "\r\n",
                                                  "\r",
                                                  " ",
                                                  "\t",
                                                  "0",
                                                  "1",
                                                  "-1",
                                                  "-",
                                                  "+",
                                                  "1e308",
                                                  "#",
                                                  "%",
                                                  "nan",
                                                  "inf",
                                                  "0x1",
                                                  ".5",
                                                  "\"",
                                                  "\\",
                                                  "\x7f\xff",
                                                  "4294967296",
                                                  std::string(1, '\0'),
                                                  std::string(4, '\xff'),
                                                  std::string(8, '\x80'),
                                                  "9223372036854775807",
                                                  "9223372036854775808",
                                                  "-9223372036854775808",
                                                  "99999999999999999999999999",
                                                  std::string(70, '7')};
  return tokens[static_cast<size_t>(random->below(static_cast<int64_t>(tokens.size())))];
}

void mutate(std::string* text, const std::string& other, SplitMix64* random) {
  const size_t at = place_in(*text, random), length = place_in(*text, random) / 4;
  switch (random->below(8)) {
    case 0: text->erase(at, length); break;
    case 1: text->insert(at, token(random)); break;
    case 2: text->insert(at, *text, place_in(*text, random), length); break;
    case 3: *text = text->substr(0, at) + other.substr(place_in(other, random)); break;
    case 4: text->insert(at, 1, static_cast<char>(random->below(256))); break;
    case 5: text->resize(at); break;
    default:
      if (at == text->size()) break;
      (*text)[at] = static_cast<char>((*text)[at] ^ 1 << random->below(8));
  }
  if (text->size() > kMostBytes) text->resize(kMostBytes);
}

std::string mutation(const std::vector<std::string>& corpus, int64_t number) {
  SplitMix64 random(static_cast<uint64_t>(seed) * 0x9e3779b97f4a7c15 +
                    static_cast<uint64_t>(number));
  const int64_t n = static_cast<int64_t>(corpus.size());
  std::string text = corpus[static_cast<size_t>(random.below(n))];
  for (int64_t left = 1 + random.below(8); left > 0; --left) {
    mutate(&text, corpus[static_cast<size_t>(random.below(n))], &random);
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
