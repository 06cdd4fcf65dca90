#include "system/runtime/live_table.hpp"

#include "system/message/aggregator.hpp"
#include "system/message/payload.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/runtime/waiting_table.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <signal.h>

namespace Grappa {
namespace detail {

volatile bool live_table_due = false;

}  // namespace detail

namespace {

volatile sig_atomic_t asked = 0;

constexpr uint64_t kPatienceNs = 500000000;

struct Part {
  std::string text;
  uint64_t arrived_ns = 0;  // 0: it has not
};

/// On core 0: a table that is not printed yet. The signal to core 0 begins it. Parts may come
/// before that; one that came much earlier was for the table before, which did not wait for it.
struct Collecting {
  uint64_t since_ns = 0;    // 0: no table is asked for
  std::vector<Part> parts;  // by core
};

Collecting& collecting() {
  static Collecting state;
  return state;
}

void on_signal(int) {
  asked = 1;
  detail::live_table_due = true;
}

void add_part(Core core, const std::string& text) {
  Collecting& state = collecting();
  state.parts.resize(static_cast<size_t>(cores()));
  state.parts[static_cast<size_t>(core)] = Part{text, steady_ns()};
  if (state.since_ns != 0) detail::live_table_due = true;
}

void send_part() {
  const std::string part = waiting_part();
  if (mycore() == 0) {
    if (collecting().since_ns == 0) collecting().since_ns = steady_ns();
    add_part(0, part);
    return;
  }
  // Like a handler, a poller must not wait for a buffer.
  const bool in_handler = scheduler().in_handler();
  scheduler().set_in_handler(true);
  const Core core = mycore();
  const auto arrive = [core](void* text, size_t bytes) {
    add_part(core, std::string(static_cast<const char*>(text), bytes));
  };
  send_message(0, arrive, part.data(), part.size());
  scheduler().set_in_handler(in_handler);
  aggregator().flush(Core(0), FlushCause::Asked);
}

void print_if_complete() {
  Collecting& state = collecting();
  const auto is_late = [&state](const Part& part) {
    return part.arrived_ns + kPatienceNs <= state.since_ns;
  };
  if (steady_ns() - state.since_ns < kPatienceNs &&
      std::any_of(state.parts.begin(), state.parts.end(), is_late)) {
    detail::live_table_due = true;
    return;
  }
  std::vector<std::string> parts;
  std::string late;
  for (const Part& part : state.parts) {
    if (is_late(part)) {
      late += "core " + std::to_string(parts.size()) +
              " has not answered: its task runs without a switch\n";
    }
    parts.push_back(is_late(part) ? "" : part.text);
  }
  const std::string text = "grappa: what the workers wait for\n" + waiting_table(parts) + late;
  state = Collecting();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void install_live_table() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR1, &action, nullptr);
}

void detail::answer_live_table() {
  live_table_due = false;
  if (asked != 0) {
    asked = 0;
    send_part();
  }
  if (collecting().since_ns != 0) print_if_complete();
}

}  // namespace Grappa
