#include "system/runtime/flags.hpp"

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/observe/event_log.hpp"
#include "system/observe/readable.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <gflags/gflags.h>
#include <sys/stat.h>

DEFINE_int64(num_workers, 1024, "limit on the tasks of one core that have started and not ended");
DEFINE_uint64(stack_bytes, 256 * Grappa::detail::KiB,
              "bytes of address space for the stack of a task; stacks below 65536 bytes are packed "
              "if num_workers is above 4096; a failed check may overflow stacks below 16384 bytes");
DEFINE_int64(poll_interval_us, 4, "microseconds that tasks run before the core polls the network");
DEFINE_uint64(buffer_bytes, 64 * Grappa::detail::KiB, "size of a message buffer, in bytes");
DEFINE_int32(buffers_per_core, 0,
             "limit on the message buffers of a core in transit; 0: set by the number of cores");
DEFINE_int32(ring_entries, 0,
             "limit on the buffers in transit between two cores of a locale; 0: no extra limit");
DEFINE_int64(flush_age_us, 100,
             "microseconds after which an open message buffer is sent even if it is not full");
DEFINE_string(routing, "automatic",
              "route of messages between locales: direct, two_hop (a core of the destination's "
              "locale forwards them), three_hop (also a core of the sender's locale), or automatic "
              "(set by the number of cores)");
DEFINE_string(
    world, gflags::StringFromEnv("GRAPPA_WORLD", "automatic"),
    "how the cores of a job are connected: mpi, or automatic (MPI if mpirun or srun has started "
    "them, shared memory otherwise)");
DEFINE_int32(cores_per_locale, 0,
             "simulate locales with this number of cores, which exchange messages through MPI; "
             "needs --world=mpi; 0: use the real locales");
DEFINE_uint64(heap_bytes, 0, "bytes of the global heap over all cores; 0: set by free memory");
DEFINE_int64(loop_threshold, 0, "iterations of a loop that a task runs at a time; 0: automatic");
DEFINE_bool(steal, true, "idle cores steal unbound tasks from other cores");
DEFINE_int64(deadlock_check_ms, 100,
             "milliseconds that a core waits for messages, without other work, before it checks "
             "whether the job is deadlocked");
DEFINE_bool(report, false,
            "print a report when the job ends: the time of each core, messages, tasks and memory");
DEFINE_string(report_json, "",
              "write the numbers of --report and all counters and metrics, merged and per core, to "
              "this file as JSON when the job ends");
DEFINE_string(trace, "",
              "write the events of each core (runs and waits of workers, messages by handler, "
              "buffers, commits of combiners), and the values of all metrics from "
              "Metrics::start_tracing() to stop_tracing(), to this file, for the viewers of Chrome "
              "or Perfetto");
DEFINE_int64(trace_events, 100000, "number of latest events that each core keeps for --trace");
DEFINE_int64(trace_min_ns, 1000,
             "runs of workers shorter than this many nanoseconds are merged in --trace; handlers "
             "and waits shorter than this are only counted");
DEFINE_bool(trace_switches, false,
            "record every switch of workers in --trace, not only those at which the network is "
            "polled; slow if workers switch often");
DEFINE_int64(trace_interval_ms, 10, "milliseconds between two samples of the metrics for --trace");

namespace Grappa::detail {
namespace {

bool help_asked = false;
std::map<std::string, std::string> spellings;  // the spelling of each flag in the arguments

/// Flags of earlier versions, and the flags that replace them.
const std::map<std::string, std::string> kOldNames = {{"metrics_json", "report_json"},
                                                      {"trace_file", "trace"}};

/// True if one of these source files of a library defines the flag.
bool is_of(const std::set<std::string>& files, const gflags::CommandLineFlagInfo& flag) {
  return files.count(flag.filename.substr(flag.filename.rfind('/') + 1)) != 0;
}

// The flags of gflags itself have an effect only with the parser of gflags.
const std::set<std::string> kGflags = {"gflags.cc", "gflags_completions.cc", "gflags_reporting.cc"};
const std::set<std::string> kGlog = {"logging.cc", "vlog_is_on.cc", "utilities.cc", "symbolize.cc"};

std::string parse_file(const std::string& path, int depth);

/// Parses one argument that begins with a dash. `next` is the argument after it, or null. Sets
/// `used_next` if `next` was the value. `depth` is the number of enclosing flag files.
std::string parse_one(const std::string& argument, const char* next, bool* used_next, int depth) {
  std::string name = argument.substr(argument[1] == '-' ? 2 : 1), value;
  const size_t equals = name.find('=');
  const bool has_value = equals != std::string::npos;
  if (has_value) {
    value = name.substr(equals + 1);
    name.resize(equals);
  }
  if (name == "help" || name == "helpfull" || name == "helpshort" || name == "h") {
    help_asked = true;
    return "";
  }
  const std::string written = name;
  const auto old = kOldNames.find(name);
  if (old != kOldNames.end()) name = old->second;
  const std::string& before = spellings.emplace(name, written).first->second;
  if (before != written) {
    return "flags --" + before + " and --" + written + " are the same flag: give one of them";
  }
  gflags::CommandLineFlagInfo flag;
  if (!gflags::GetCommandLineFlagInfo(name.c_str(), &flag)) {
    const bool negated = name.compare(0, 2, "no") == 0 && !has_value &&
                         gflags::GetCommandLineFlagInfo(name.c_str() + 2, &flag) &&
                         flag.type == "bool";
    if (!negated) return "unknown flag --" + name + "; --help lists the flags";
    value = "false";
  } else if (!has_value && flag.type == "bool") {
    value = "true";
  } else if (!has_value) {
    if (next == nullptr) return "flag --" + name + " needs a value";
    value = next;
    *used_next = true;
  }
  if (flag.name == "flagfile") return parse_file(value, depth + 1);
  if (is_of(kGflags, flag)) return "unknown flag --" + name + "; --help lists the flags";
  if (gflags::SetCommandLineOption(flag.name.c_str(), value.c_str()).empty()) {
    return "flag --" + flag.name + ": invalid value \"" + value + "\", expected " + flag.type;
  }
  return "";
}

std::string parse_file(const std::string& path, int depth) {
  if (depth > 10) return "flag --flagfile: \"" + path + "\" is nested too deeply";
  const std::string unusable = "flag --flagfile: \"" + path + "\" ";
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    return unusable + "cannot be read: " + std::strerror(errno);
  }
  // Each core reads the file, and the data of a device or a FIFO may be endless.
  if (!S_ISREG(status.st_mode)) {
    return unusable + (S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file") +
           "; give a text file with one flag per line";
  }
  errno = 0;
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line[0] == '#') continue;
    const std::string place = path + ":" + std::to_string(number) + ": ";
    if (line[0] != '-') return place + "\"" + line + "\" is not a flag";
    bool used_next = false;
    const std::string error = parse_one(line, nullptr, &used_next, depth);
    if (!error.empty()) return place + error;
  }
  return file.eof() ? "" : unusable + "cannot be read: " + std::strerror(errno);
}

std::string range_problem() {
  const auto number = [](uint64_t value) { return static_cast<int64_t>(value); };
  const struct {
    int64_t value, least, most;
    const char* sentence;
  } ranges[] = {
      {FLAGS_num_workers, 1, 1 << 20, "num_workers must be 1 to 1048576"},
      {number(FLAGS_stack_bytes), 8 * KiB, 1 * GiB,
       "stack_bytes must be 8192 (8 KiB) to 1073741824 (1 GiB)"},
      {FLAGS_poll_interval_us, 0, 1000000, "poll_interval_us must be 0 to 1000000"},
      {FLAGS_buffer_bytes % 64 == 0 ? number(FLAGS_buffer_bytes) : -1, 16 * KiB, 16 * MiB,
       "buffer_bytes must be a multiple of 64 from 16384 (16 KiB) to 16777216 (16 MiB)"},
      {FLAGS_buffers_per_core, 0, 1 << 20, "buffers_per_core must be 0 (automatic) to 1048576"},
      {FLAGS_ring_entries, 0, 1 << 20, "ring_entries must be 0 (automatic) to 1048576"},
      {FLAGS_flush_age_us, 0, 1000000, "flush_age_us must be 0 to 1000000"},
      {FLAGS_cores_per_locale, 0, INT32_MAX, "cores_per_locale must be 0 (as they are) or more"},
      {FLAGS_loop_threshold, 0, INT64_MAX, "loop_threshold must be 0 (automatic) or more"},
      {FLAGS_deadlock_check_ms, 0, 1000000, "deadlock_check_ms must be 0 to 1000000"},
      {number(FLAGS_heap_bytes), 0, 64 * (1024 * GiB),
       "heap_bytes must be at most 70368744177664 (64 TiB)"},
      {FLAGS_trace_interval_ms, 1, 1000000, "trace_interval_ms must be 1 to 1000000"},
      {FLAGS_trace_events, 1, 1 << 28, "trace_events must be 1 to 268435456"},
      {FLAGS_trace_min_ns, 0, 1000000000, "trace_min_ns must be 0 to 1000000000"}};
  for (const auto& range : ranges) {
    if (range.value < range.least || range.value > range.most) return range.sentence;
  }
  return "";
}

}  // namespace

std::string parse_flags(int* argc, char** argv[]) {
  std::vector<char*> rest = {(*argv)[0]};
  std::string error;
  spellings.clear();
  for (int k = 1; k < *argc; ++k) {
    char* argument = (*argv)[k];
    if (std::strcmp(argument, "--") == 0) {
      rest.insert(rest.end(), *argv + k + 1, *argv + *argc);
      break;
    }
    if (argument[0] != '-' || argument[1] == '\0') {
      rest.push_back(argument);
      continue;
    }
    bool used_next = false;
    error = parse_one(argument, k + 1 < *argc ? (*argv)[k + 1] : nullptr, &used_next, 0);
    if (!error.empty()) return error;
    if (used_next) ++k;
  }
  std::copy(rest.begin(), rest.end(), *argv);
  *argc = static_cast<int>(rest.size());
  (*argv)[*argc] = nullptr;
  return "";
}

std::string world_from_arguments(int argc, char* const argv[]) {
  std::string value = FLAGS_world;  // the default is GRAPPA_WORLD
  for (int k = 1; k < argc && std::strcmp(argv[k], "--") != 0; ++k) {
    if (argv[k][0] != '-') continue;
    const char* name = argv[k] + (argv[k][1] == '-' ? 2 : 1);
    if (std::strncmp(name, "world=", 6) == 0) value = name + 6;
    if (std::strcmp(name, "world") == 0 && k + 1 < argc) value = argv[++k];
  }
  return value;
}

std::string world_flag_error(const std::string& world_flag) {
  if (world_flag == FLAGS_world) return "";
  return "flag --world: give it on the command line or as GRAPPA_WORLD, not in a file of flags";
}

bool help_requested() { return help_asked; }

std::string flags_help(const std::string& program) {
  std::vector<gflags::CommandLineFlagInfo> flags;
  gflags::GetAllFlags(&flags);
  std::ostringstream out;
  out << "flags of " << program << " and of the Grappa runtime:\n";
  for (const auto& flag : flags) {
    if (is_of(kGflags, flag) || is_of(kGlog, flag)) continue;
    out << "  --" << flag.name << "  (" << flag.type << ", default " << flag.default_value << ")\n"
        << "      " << flag.description << "\n";
  }
  return out.str();
}

std::string explore_flags(World::Exploration* exploration) {
  const std::pair<const char*, std::vector<const char*>> choices[] = {
      {"num_workers", {"1", "4", "30", "1024"}},
      {"poll_interval_us", {"0", "4", "100"}},
      {"buffer_bytes", {"16384", "65536"}},
      {"buffers_per_core", {"1", "2", "8", "0"}},
      {"flush_age_us", {"0", "100", "100000"}},
      {"routing", {"direct", "two_hop", "three_hop"}},
      {"loop_threshold", {"0", "1", "7"}},
      {"steal", {"true", "true", "false"}},
      {"deadlock_check_ms", {"0", "1", "100"}},
      {"combining", {"none", "centralized", "distributed"}},
      {"known_keys", {"0", "16", "1000000"}},
      {"combining_tree", {"true", "true", "false"}}};
  std::mt19937_64 random(exploration->seed);
  std::set<std::string> unknown = exploration->named;
  std::string known;
  for (const auto& [name, values] : choices) {
    const char* const value = values[random() % values.size()];
    known += std::string(", ") + name;
    gflags::CommandLineFlagInfo flag;
    if (unknown.erase(name) == 0 && !exploration->named.empty()) continue;
    if (!gflags::GetCommandLineFlagInfo(name, &flag) || !flag.is_default) continue;
    gflags::SetCommandLineOption(name, value);
    if (flag.current_value != value) exploration->present += std::string("+") + name;
  }
  for (const std::string& name : exploration->kinds) {
    unknown.erase(name);
    known = ", " + name + known;
  }
  if (unknown.empty()) return "";
  return "--simulate: faults: unknown disturbance \"" + *unknown.begin() + "\": expected some of " +
         known.substr(2) + ", with + between them";
}

RuntimeOptions options_from_flags(std::string* error) {
  if (error->empty() && !range_problem().empty()) *error = "flag --" + range_problem();
  if (error->empty() && FLAGS_world != "automatic" && FLAGS_world != "mpi") {
    *error = "flag --world, or GRAPPA_WORLD: \"" + FLAGS_world + "\" must be automatic or mpi";
  }
  RuntimeOptions options;
  const std::map<std::string, Routing> routings = {{"automatic", Routing::Automatic},
                                                   {"direct", Routing::Direct},
                                                   {"two_hop", Routing::TwoHop},
                                                   {"three_hop", Routing::ThreeHop}};
  const auto routing = routings.find(FLAGS_routing);
  if (routing != routings.end()) {
    options.message.routing = routing->second;
  } else if (error->empty()) {
    *error = "flag --routing must be automatic, direct, two_hop or three_hop";
  }
  options.tasking.num_workers = FLAGS_num_workers;
  options.tasking.stack_bytes = FLAGS_stack_bytes;
  options.tasking.poll_interval_ns = 1000 * FLAGS_poll_interval_us;
  options.net.buffer_bytes = FLAGS_buffer_bytes;
  options.net.buffers_per_core = FLAGS_buffers_per_core;
  options.net.ring_entries = FLAGS_ring_entries;
  options.net.cores_per_locale = FLAGS_cores_per_locale;
  options.message.flush_age_us = FLAGS_flush_age_us;
  options.global.heap_bytes = FLAGS_heap_bytes;
  options.parallel.loop_threshold = FLAGS_loop_threshold;
  options.parallel.steal = FLAGS_steal;
  options.deadlock_check_ms = FLAGS_deadlock_check_ms;
  options.report.page = FLAGS_report;
  options.report.report_json = FLAGS_report_json;
  options.report.trace = FLAGS_trace;
  options.report.trace_events = FLAGS_trace_events;
  options.report.trace_min_ns = FLAGS_trace_min_ns;
  options.report.trace_switches = FLAGS_trace_switches;
  options.report.trace_interval_ms = FLAGS_trace_interval_ms;
  return options;
}

std::string sizes_problem(const RuntimeOptions& options, uint64_t core_bytes) {
  const int64_t events = options.report.trace.empty() ? 0 : options.report.trace_events;
  const struct {
    const char* flag;
    int64_t count;
    uint64_t bytes;  // of one of the things
    const char* things;
  } sizes[] = {
      {"num_workers", options.tasking.num_workers, page_bytes(), "stacks of at least one page"},
      {"buffers_per_core", options.net.buffers_per_core, options.net.buffer_bytes,
       "message buffers"},
      {"trace_events", events, sizeof(Event), "events"}};
  for (const auto& size : sizes) {
    if (static_cast<uint64_t>(size.count) <= core_bytes / size.bytes) continue;
    return std::string("flag --") + size.flag + ": " + std::to_string(size.count) + " " +
           size.things + " take " + readable_bytes(double(size.count) * double(size.bytes)) +
           "; a core has " + readable_bytes(double(core_bytes)) + " of memory";
  }
  return "";
}

}  // namespace Grappa::detail
