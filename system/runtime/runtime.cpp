#include "system/runtime/runtime.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/global/block_cyclic.hpp"
#include "system/global/heap.hpp"
#include "system/global/reply_slots.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/send.hpp"
#include "system/net/mpi_world.hpp"
#include "system/net/topology.hpp"
#include "system/net/transport.hpp"
#include "system/parallel/scope_tree.hpp"
#include "system/parallel/steal.hpp"
#include "system/runtime/crash.hpp"
#include "system/runtime/flags.hpp"
#include "system/runtime/report.hpp"
#include "system/runtime/same_program.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <errno.h>  // program_invocation_short_name
#include <unistd.h>

namespace Grappa {
namespace {

/// All rooms with state, bottom floor first; destroyed in the opposite order.
struct Job {
  explicit Job(const RuntimeOptions& options);

  bool report;
  Transport transport;
  Scheduler scheduler;
  Aggregator aggregator;
  detail::ReplySlots reply_slots;
  GlobalHeap heap;
};

constexpr int kStillRunning = -1;

Job* job = nullptr;
bool ended = false;
int exit_status = kStillRunning;  // set when the job is to end

SchedulerHooks scheduler_hooks() {
  SchedulerHooks hooks;
  hooks.poll = [] { return aggregator().poll(); };
  hooks.flush = [] { return aggregator().flush_all(FlushCause::Idle); };
  hooks.steal = detail::steal;
  hooks.share = detail::share;
  hooks.handler_suspends = [] { aggregator().inbox().detach(); };
  return hooks;
}

/// With more cores than processors nobody may wait for messages by spinning, not even for
/// microseconds: whoever is to send them needs the processor.
TaskingOptions fit_for_machine(TaskingOptions options) {
  const int processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  if (topology().machine_cores > processors) options.idle_rounds_before_yield = 0;
  return options;
}

/// Buffers by the routing that is chosen: for as many destinations as there will be, and, where
/// messages of others are passed on, some in reserve for that.
NetOptions fit_for_routing(NetOptions options, Routing asked) {
  const Routing routing = choose_routing(asked, cores(), locales());
  options.destinations = outbox_count(routing, topology());
  options.relay_buffers = routing == Routing::TwoHop ? kRelayBuffers : 0;
  return options;
}

Job::Job(const RuntimeOptions& options)
    : report(options.report),
      transport(fit_for_routing(options.net, options.message.routing)),
      scheduler(fit_for_machine(options.tasking), scheduler_hooks()),
      aggregator(options.message),
      heap(heap_bytes_per_core(options.global)) {
  parallel_options() = options.parallel;
  detail::install_scope_hooks();
  detail::start_stealing();
}

/// Takes everything down in order. Called by all cores together.
void end() {
  delete job;
  job = nullptr;
  ended = true;
  mpi_finish();
}

[[noreturn]] void leave(int status) {
  end();
  std::exit(status);
}

/// Ends the job while no task can run: every core comes here alike.
[[noreturn]] void leave_with_line(const std::string& line, int status) {
  if (mycore() == 0) std::fputs(line.c_str(), status == 0 ? stdout : stderr);
  leave(status);
}

/// On every core: makes run() return, and the job end if `status` says so. It does not wait: a core
/// that has stopped no longer starts a task, which could be what a buffer is waited for.
void stop_all_cores(int status) {
  for (int core = 0; core < cores(); ++core) {
    const auto stop = [status] {
      if (status != kStillRunning) exit_status = status;
      scheduler().stop();
    };
    aggregator().append<Acknowledged::Never, MayWait::Never>(static_cast<Core>(core), nullptr,
                                                             stop);
  }
}

void input_error_ends_job(const char* line) {
  if (job == nullptr || scheduler().current() == nullptr) {
    leave_with_line(line, kInputErrorStatus);
  }
  std::fputs(line, stderr);
  end_job(kInputErrorStatus);
}

/// After the last task: receives what is still on its way, on all cores, until nothing is. All
/// cores go round together. Messages may send messages, so two rounds must have found the same
/// counts.
void drain_network() {
  uint64_t before = ~uint64_t{0};
  for (;;) {
    scheduler().drain();
    const bool holding = aggregator().holds_messages() || transport().sending();
    uint64_t sums[] = {transport().buffers_sent(), transport().buffers_received(),
                       holding ? uint64_t{1} : 0};
    MpiSum all(sums, 3);
    while (!all.done()) {
      scheduler().drain();  // a core that has not stopped yet may wait for answers
    }
    const bool still = sums[0] == sums[1] && sums[2] == 0;
    if (still && sums[0] == before) return;
    before = still ? sums[0] : ~uint64_t{0};
  }
}

}  // namespace

void init(int* argc, char** argv[], int64_t heap_bytes) {
  GRAPPA_CHECK(job == nullptr && !ended) << "Grappa::init may be called once";
  if (!google::IsGoogleLoggingInitialized()) {
    FLAGS_logtostderr = true;
    google::InitGoogleLogging((*argv)[0]);
  }
  mpi_start(argc, argv);
  detail::input_error_hook = input_error_ends_job;
  detail::the_topology = discover_topology(0);
  std::string error = parse_flags(argc, argv);
  if (help_requested()) leave_with_line(flags_help(program_invocation_short_name), 0);
  RuntimeOptions options;
  if (error.empty()) options = options_from_flags(&error);
  if (!error.empty()) input_error(error);
  if (heap_bytes >= 0) options.global.heap_bytes = static_cast<size_t>(heap_bytes);
  detail::the_topology = discover_topology(options.net.cores_per_locale);
  detail::failing_core = mycore();
  detail::the_block_cyclic = BlockCyclic(cores());
  check_same_program();
  install_crash_handlers();
  job = new Job(options);
}

void detail::run(const Closure& body) {
  GRAPPA_CHECK(job != nullptr) << "Grappa::run before Grappa::init or after Grappa::finalize";
  GRAPPA_CHECK(scheduler().current() == nullptr) << "Grappa::run inside of Grappa::run";
  mpi_barrier();
  if (mycore() == 0) {
    Closure main_body = body;
    scheduler().start_main(Closure::make([main_body]() mutable {
      main_body.run_and_destroy();
      stop_all_cores(kStillRunning);
    }));
  }
  scheduler().run();
  drain_network();
  // Several cores may have ended the job at the same time, for different reasons.
  exit_status = static_cast<int>(mpi_min(static_cast<uint32_t>(exit_status)));
  if (exit_status != kStillRunning) leave(exit_status);
}

void end_job(int status) {
  GRAPPA_CHECK(job != nullptr && scheduler().current() != nullptr)
      << "Grappa::end_job outside of a task";
  stop_all_cores(status);
  for (;;) scheduler().suspend(WaitReason(WaitReason::Kind::End));  // nobody wakes it
}

int finalize() {
  GRAPPA_CHECK(job != nullptr) << "Grappa::finalize without Grappa::init";
  GRAPPA_CHECK(scheduler().current() == nullptr) << "Grappa::finalize inside of Grappa::run";
  if (job->report) {
    scheduler().count_stacks();
    const std::string report = counters_report();
    if (mycore() == 0) std::fputs(report.c_str(), stdout);
  }
  mpi_barrier();
  end();
  return 0;
}

}  // namespace Grappa
