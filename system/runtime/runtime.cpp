#include "system/runtime/runtime.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/failure/failure.hpp"
#include "system/global/address.hpp"
#include "system/global/heap.hpp"
#include "system/global/locale_memory.hpp"
#include "system/global/reply.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/net/transport.hpp"
#include "system/net/world.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/steal.hpp"
#include "system/report/job_report.hpp"
#include "system/report/trace_file.hpp"
#include "system/runtime/flags.hpp"
#include "system/runtime/quiescence.hpp"
#include "system/runtime/startup.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <errno.h>  // program_invocation_short_name
#include <unistd.h>

namespace Grappa {

using namespace detail;

namespace {

/// All modules with state, lowest layer first. They are destroyed in the opposite order.
struct Job {
  explicit Job(const RuntimeOptions& options);

  JobReport report;
  TraceFile trace;
  Transport transport;
  Scheduler scheduler;
  Aggregator aggregator;
  ReplySlots reply_slots;
  GlobalHeap heap;
  LocaleMemory locale_memory;
};

/// The end of the job: an exit status above 0, or one of these values. If there are several
/// reasons, the smallest number is used, so a failure is never reported as success.
enum Ending : uint32_t { kSuccess = 256, kRunning = 257 };

Job* job = nullptr;
bool ended = false;
uint32_t ending = kRunning;
pid_t process = 0;  // the process of this core; forked children are not cores

constexpr int kLeftStatus = 1;  // if main returns 0 without finalize()

SchedulerHooks scheduler_hooks() {
  SchedulerHooks hooks;
  hooks.poll = [] {
    serve_live_table();
    if (the_trace_file != nullptr) the_trace_file->samples().sample_if_due();
    return aggregator().poll();
  };
  hooks.flush = [] { return aggregator().flush_all(FlushCause::Idle); };
  hooks.steal = steal;
  hooks.share = share;
  hooks.quiescent = [](bool first) {
    if (!watch_quiescence(first)) return quiescence_due_ticks();
    ending = kDeadlockStatus;
    scheduler().stop();
    return uint64_t{0};
  };
  hooks.handler_suspends = [] { aggregator().inbox().detach(); };
  return hooks;
}

/// If there are more cores than processors, a core must not spin: the sender needs the processor.
TaskingOptions fit_for_machine(TaskingOptions options) {
  const int processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  if (topology().machine_cores > processors) options.idle_rounds_before_yield = 0;
  if (virtual_time != nullptr) options.idle_rounds_before_yield = 1;  // one sends, one steals
  return options;
}

/// Sets the number of buffers, with a reserve if cores forward messages of other cores.
NetOptions fit_for_routing(NetOptions options, Routing asked) {
  const Routing routing = choose_routing(asked, cores(), locales());
  options.destinations = outbox_count(routing, topology());
  options.relay_buffers = routing == Routing::Direct ? 0 : kRelayBuffers;
  options.gateway_buffers = routing == Routing::ThreeHop ? kGatewayBuffers : 0;
  return options;
}

Job::Job(const RuntimeOptions& options)
    : report(options.report),
      trace(options.report),
      transport(fit_for_routing(options.net, options.message.routing)),
      scheduler(fit_for_machine(options.tasking), scheduler_hooks()),
      aggregator(options.message),
      heap(heap_bytes_per_core(options.global)) {
  report.begin();
  trace.begin();
  parallel_options() = options.parallel;
  install_scope_hooks();
  start_stealing();
  start_quiescence(options.deadlock_check_ms * 1000000);
}

void end() {  // called by all cores together
  delete job;
  job = nullptr;
  ended = true;
  job_has_ended();
  finish_world();
}

[[noreturn]] void leave(int status) {
  end();
  std::exit(status);
}

/// The next step that all cores take together. A core that leaves the job uses its number instead.
enum class Step : uint64_t { Run = kMaxCores, Finalize };

/// Ends the process while no task can run. Other cores leave the job at their next step.
[[noreturn]] void leave_with_line(const std::string& line, int status) {
  const uint64_t first = world().min(static_cast<uint64_t>(mycore()));
  if (first == static_cast<uint64_t>(mycore())) {
    std::fputs(line.c_str(), status == 0 ? stdout : stderr);
  }
  leave(static_cast<int>(world().min(static_cast<uint64_t>(status))));
}

/// Waits until all cores take this step. `other` names the other step, for an error message.
void begin(Step step, const char* name, const char* other) {
  scheduler().turn_to(Activity::Idle);  // until all cores are here
  const uint64_t least = world().min(static_cast<uint64_t>(step));
  scheduler().turn_to(Activity::Running);
  if (least == static_cast<uint64_t>(step)) return;
  if (least < kMaxCores) leave(static_cast<int>(world().min(~uint64_t{0})));
  fail("this core called " + std::string(name) + ", but another core called " + other +
       ": call both on every core, in the same order");
}

/// Makes run() return on every core. `how` selects the end of the job. Never waits for a buffer,
/// because a stopped core starts no tasks, and freeing a buffer may need a new task.
void stop_all_cores(uint32_t how) {
  for (int core = 0; core < cores(); ++core) {
    const auto stop = [how] {
      ending = std::min(ending, how);
      scheduler().stop();
    };
    append<Acknowledged::Never, MayWait::Never>(static_cast<Core>(core), nullptr, stop);
  }
}

void input_error_ends_job(const char* line) {
  if (job == nullptr || scheduler().current() == nullptr) {
    leave_with_line(line, kInputErrorStatus);
  }
  std::fputs(line, stderr);
  end_job(kInputErrorStatus);
}

std::string not_in_job(const std::string& function) {
  return function + " was called " + (ended ? "after Grappa::finalize" : "before Grappa::init");
}

/// Called by exit() and at the end of main.
void left_without_finalize(int status, void*) {
  if (job == nullptr || ::getpid() != process) return;
  fail_with_status("the program left main, or called exit, with status " + std::to_string(status) +
                       " and without Grappa::finalize: call finalize on every core, or end_job in "
                       "a task to end early",
                   (status & 0xff) != 0 ? status & 0xff : kLeftStatus);
}

void quick_exit_without_finalize() {
  if (job == nullptr || ::getpid() != process) return;
  fail_with_status("quick_exit was called without Grappa::finalize", kLeftStatus);
}

/// Called after the last task. All cores receive messages, in common rounds, until no message is in
/// transit. A message may send messages, so two consecutive rounds must have the same counts.
void drain_network() {
  uint64_t before = ~uint64_t{0};
  for (;;) {
    scheduler().drain();
    const bool holding = aggregator().holds_messages() || transport().sending();
    uint64_t sums[] = {transport().buffers_sent(), transport().buffers_received(),
                       holding ? uint64_t{1} : 0};
    const std::unique_ptr<World::Sum> all = world().begin_sum(sums, 3);
    while (!all->done()) scheduler().drain();  // another core may still run and wait for answers
    const bool still = sums[0] == sums[1] && sums[2] == 0;
    if (still && sums[0] == before) return;
    before = still ? sums[0] : ~uint64_t{0};
  }
}

/// In a simulation with faults, chooses flags, and prints what disturbs the job.
std::string explore() {
  World::Exploration exploration = world().exploration();
  if (exploration.kinds.empty()) return "";
  const std::string error = explore_flags(&exploration);
  if (error.empty() && mycore() == 0 && !exploration.present.empty()) {
    std::fprintf(stderr, "simulation: faults=%s\n", exploration.present.c_str() + 1);
  }
  return error;
}

}  // namespace

void init(int* argc, char** argv[], int64_t heap_bytes) {
  if (job != nullptr || ended) fail("Grappa::init was called twice: a program has one job");
  install_live_table();
  start_log((*argv)[0]);
  const std::string world_flag = world_from_arguments(*argc, *argv);
  start_world(world_flag == "mpi" ? WorldChoice::Mpi : WorldChoice::Automatic, argc, argv);
  input_error_hook = input_error_ends_job;
  the_topology = world().discover_topology(0);
  the_known_topology = &the_topology;
  share_failure_claim();
  std::string error = parse_flags(argc, argv);
  take_over_log();
  if (help_requested()) leave_with_line(flags_help(program_invocation_short_name), 0);
  if (error.empty()) error = explore();
  RuntimeOptions options;
  if (error.empty()) options = options_from_flags(&error);
  if (error.empty()) error = world_flag_error(world_flag);
  if (error.empty()) error = world().refusal(options.net.cores_per_locale);
  if (!error.empty()) input_error(error);
  if (heap_bytes >= 0) options.global.heap_bytes = static_cast<size_t>(heap_bytes);
  the_topology = world().discover_topology(options.net.cores_per_locale);
  start_closure_checks();
  // All cores check the smallest memory of a core, so that all of them have the same result.
  const size_t mine = physical_memory_bytes() / static_cast<size_t>(topology().machine_cores);
  error = sizes_problem(options, world().min(mine));
  if (!error.empty()) input_error(error);
  the_block_cyclic = BlockCyclic(cores());
  if (virtual_time == nullptr) check_same_program();  // the cores of a simulation are forked
  check_metric_names();
  job = new Job(options);
  install_failure_handlers();
  process = ::getpid();
  ::on_exit(left_without_finalize, nullptr);
  std::at_quick_exit(quick_exit_without_finalize);
}

void detail::run(const Closure& body) {
  if (job == nullptr) fail(not_in_job("Grappa::run"));
  GRAPPA_CHECK(scheduler().current() == nullptr)
      << "Grappa::run inside of Grappa::run: spawn a task instead, or call the body";
  begin(Step::Run, "Grappa::run", "Grappa::finalize");
  the_running_core = mycore();
  if (!checks_closures()) the_direct_core = mycore();
  if (mycore() == 0) {
    Closure main_body = body;
    scheduler().start_main(Closure::make([main_body]() mutable {
      DefaultEvent::enter_main();
      main_body.run_and_destroy();
      stop_all_cores(kRunning);
    }));
  }
  scheduler().run();
  end_quiescence([] { scheduler().drain(); });
  drain_network();
  the_running_core = the_direct_core = kNotRunning;
  // Several cores may have stopped the job at the same time, for different reasons.
  ending = static_cast<uint32_t>(world().min(ending));
  if (ending != kRunning) leave(static_cast<int>(ending % kSuccess));
  scheduler().turn_to(Activity::Running);
}

void end_job(int status) {
  if (job == nullptr) fail(not_in_job("Grappa::end_job"));
  GRAPPA_CHECK(scheduler().current() != nullptr)
      << "Grappa::end_job outside of a task: call it inside Grappa::run; outside, return from main "
         "on every core after Grappa::finalize";
  const uint32_t what_remains = static_cast<uint32_t>(status) % kSuccess;  // like exit()
  stop_all_cores(what_remains == 0 ? kSuccess : what_remains);
  for (;;) suspend(WaitReason(WaitReason::Kind::End));  // forever
}

int finalize() {
  if (job == nullptr) fail(not_in_job("Grappa::finalize"));
  GRAPPA_CHECK(scheduler().current() == nullptr)
      << "Grappa::finalize inside of Grappa::run: call it in main, after run";
  begin(Step::Finalize, "Grappa::finalize", "Grappa::run");
  job->trace.stop();
  job->report.write();
  if (job->trace.wanted()) {
    run([] { job->trace.write(); });
    job->trace.close();
  }
  world().barrier();
  end();
  return 0;
}

}  // namespace Grappa
