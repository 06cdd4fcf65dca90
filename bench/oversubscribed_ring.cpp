/// A job for bench/oversubscribed: messages that travel around a ring of all cores.

#include <Grappa.hpp>

#include <cstdint>
#include <iostream>

DEFINE_int64(tokens, 1, "messages in flight; if more than 1, for each core");
DEFINE_int64(hops, 1000, "number of hops of each message");

namespace {

using namespace Grappa;

int64_t hops_here = 0;

Core next_core() { return Core((mycore() + 1) % cores()); }

struct Token {
  int64_t hops_left;
  Core home;
  CompletionEvent* arrived;  // the event is on the home core

  void operator()() const {
    ++hops_here;
    if (hops_left > 1) {
      send_message(next_core(), Token{hops_left - 1, home, arrived});
    } else {
      CompletionEvent* event = arrived;
      send_message(home, [event] { event->complete(); });
    }
  }
};

void send_round(int64_t tokens, int64_t hops) {
  CompletionEvent arrived(tokens);
  for (int64_t k = 0; k < tokens; ++k) send_message(next_core(), Token{hops, mycore(), &arrived});
  arrived.wait();
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  bool right = false;
  run([&right] {
    const int64_t tokens = FLAGS_tokens, hops = FLAGS_hops;
    const double start = walltime();
    if (tokens == 1) {
      send_round(1, hops);
    } else {
      on_all_cores([tokens, hops] { send_round(tokens, hops); });
    }
    const double seconds = walltime() - start;
    int64_t all = 0;
    for (int core = 0; core < cores(); ++core) {
      all += delegate::call(Core(core), [] { return hops_here; });
    }
    right = all == tokens * hops * (tokens == 1 ? 1 : cores());
    std::cout << "hops_per_second: " << double(all) / seconds << std::endl;
  });
  const bool reports = mycore() == 0;
  finalize();
  return !reports || right ? 0 : 1;
}
