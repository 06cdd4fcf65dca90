#include "system/net/sim/options.hpp"

#include "system/base/ids.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <map>
#include <sstream>

namespace Grappa::detail {
namespace {

constexpr double kMostNs = 1e9;      // of one parameter
constexpr uint64_t kLeastPs = 1000;  // of a poll, a reading of the clock, and a latency
constexpr uint64_t kMostKillNs = 1000000000000;

bool read_number(const std::string& text, uint64_t most, uint64_t* number) {
  if (text.empty() || text.size() > 19) return false;
  *number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return false;
    *number = *number * 10 + static_cast<uint64_t>(digit - '0');
  }
  return *number <= most;
}

std::map<std::string, uint64_t*> parameters_of(SimOptions* options) {
  std::map<std::string, uint64_t*> all;
  const auto add = [&all](const std::string& way, SimNetwork* network) {
    all[way + ".latency_ns"] = &network->latency_ps;
    all[way + ".send_ns"] = &network->send_ps;
    all[way + ".receive_ns"] = &network->receive_ps;
    all[way + ".gap_per_byte_ns"] = &network->gap_per_byte_ps;
  };
  add("near", &options->near);
  add("far", &options->far);
  all["far.gap_ns"] = &options->far.gap_ps;
  SimCosts& costs = options->costs;
  all["core.iteration_ns"] = &costs.iteration_ps;
  all["core.switch_ns"] = &costs.switch_ps;
  all["core.task_ns"] = &costs.task_ps;
  all["core.call_ns"] = &costs.call_ps;
  all["core.miss_ns"] = &costs.miss_ps;
  all["core.message_ns"] = &costs.message_ps;
  all["core.message_byte_ns"] = &costs.message_byte_ps;
  all["core.poll_ns"] = &costs.poll_ps;
  all["core.clock_ns"] = &costs.clock_ps;
  all["core.charged_ns"] = &costs.charged_ps;
  return all;
}

/// Reads lines "NAME = NUMBER". The rest of a line after # is a comment.
std::string read_network(const std::string& path, SimOptions* options) {
  std::ifstream file(path);
  if (!file) return "the network file \"" + path + "\" cannot be read: " + std::strerror(errno);
  const std::map<std::string, uint64_t*> parameters = parameters_of(options);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string place = path + ":" + std::to_string(number) + ": ";
    line.erase(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    std::string name, equals, rest;
    double value = 0;
    if (!(words >> name)) continue;
    if (!(words >> equals >> value) || equals != "=" || words >> rest) {
      return place + "expected NAME = NUMBER";
    }
    if (name == "far.eager_bytes" && value >= 0 && value <= kMostNs) {
      options->eager_bytes = static_cast<uint64_t>(value);
      continue;
    }
    const auto parameter = parameters.find(name);
    if (parameter == parameters.end()) return place + "unknown parameter " + name;
    if (!(value >= 0 && value <= kMostNs)) return place + name + " must be 0 to 1e9";
    *parameter->second = static_cast<uint64_t>(std::llround(value * 1000));
  }
  if (file.bad())
    return "the network file \"" + path + "\" cannot be read: " + std::strerror(errno);
  // Time must pass while a core polls, and a message must take time.
  for (const char* name : {"near.latency_ns", "far.latency_ns", "core.poll_ns", "core.clock_ns"}) {
    if (*parameters.at(name) < kLeastPs) return path + ": " + name + " must be at least 1";
  }
  return "";
}

std::string parse_size(const std::string& text, SimOptions* options) {
  const size_t x = text.find('x');
  uint64_t locales = 0, cores = 0;
  if (x == std::string::npos || !read_number(text.substr(0, x), kMaxCores, &locales) ||
      !read_number(text.substr(x + 1), kMaxCores, &cores) || locales * cores == 0 ||
      locales * cores >= kMaxCores) {
    return "\"" + text + "\" is not LOCALESxCORES, such as 64x16, with 1 to " +
           std::to_string(kMaxCores - 1) + " cores in all";
  }
  options->locales = static_cast<int>(locales);
  options->cores_per_locale = static_cast<int>(cores);
  return "";
}

}  // namespace

const char* const sim_fault_names[kSimFaults] = {"delay", "demote", "full", "order",
                                                 "pause", "return", "slow"};

SimFaults faults_of(const SimOptions& options, int core) {
  SimFaults faults;
  if (!options.faults) return faults;
  SimRandom job(options.seed), own(options.seed * kMaxCores + static_cast<uint64_t>(core) + 1);
  const auto has = [&options](SimFault kind) {
    const std::set<std::string>& named = options.named_faults;
    return named.empty() || named.count(sim_fault_names[static_cast<size_t>(kind)]) != 0;
  };
  // Many jobs have no disturbance of a kind, and the others differ in its strength.
  const auto strength = [&](SimFault kind, std::initializer_list<uint64_t> values) {
    const uint64_t value = values.begin()[job.below(values.size())];
    return has(kind) ? value : 0;
  };
  faults.delay_ns = strength(SimFault::Delay, {0, 300, 3000, 30000});
  faults.return_ns = strength(SimFault::Return, {0, 0, 3000, 100000});
  faults.pause_ns = strength(SimFault::Pause, {0, 5000, 1000000});
  faults.pauses = strength(SimFault::Pause, {0, 10, 1000});
  if (faults.pause_ns == 0) faults.pauses = 0;
  faults.rejections = strength(SimFault::Full, {0, 0, 1000, 30000});
  const auto slow_core = static_cast<int>(job.below(static_cast<uint64_t>(options.cores())));
  const uint64_t slowness = strength(SimFault::Slow, {1, 10, 100});
  const uint64_t others = strength(SimFault::Slow, {1, 1, 4});
  faults.slowness = std::max<uint64_t>(1, core == slow_core ? slowness : 1 + own.below(others));
  faults.order = strength(SimFault::Order, {0, 1}) != 0;
  const uint64_t demotions = strength(SimFault::Demote, {0, 1, 2, kMostDemotions});
  for (uint64_t k = 0; k < kMostDemotions; ++k) {
    // The length of a run is not known, so small and large numbers of events are equally likely.
    const uint64_t demoted = job.below(static_cast<uint64_t>(options.cores()));
    const uint64_t event = 1 + job.below(uint64_t{2} << job.below(14));
    const uint64_t ns = strength(SimFault::Demote, {10000, 100000, 1000000, 10000000});
    if (k < demotions && demoted == static_cast<uint64_t>(core)) faults.demotions[k] = {event, ns};
  }
  return faults;
}

std::string present_faults(const SimOptions& options) {
  bool present[kSimFaults] = {};
  const auto note = [&present](SimFault kind, bool is) {
    present[static_cast<size_t>(kind)] |= is;
  };
  for (int core = 0; core < options.cores(); ++core) {
    const SimFaults faults = faults_of(options, core);
    note(SimFault::Delay, faults.delay_ns != 0);
    note(SimFault::Return, faults.return_ns != 0);
    note(SimFault::Pause, faults.pauses != 0);
    note(SimFault::Full, faults.rejections != 0);
    note(SimFault::Slow, faults.slowness > 1);
    note(SimFault::Order, faults.order);
    for (const SimDemotion& demotion : faults.demotions) {
      note(SimFault::Demote, demotion.ns != 0);
    }
  }
  std::string text;
  for (size_t k = 0; k < kSimFaults; ++k) {
    if (present[k]) text += std::string("+") + sim_fault_names[k];
  }
  return text;
}

std::string parse_simulation(const std::string& text, SimOptions* options) {
  std::istringstream parts(text);
  std::string part;
  std::getline(parts, part, ',');
  std::string error = parse_size(part, options);
  while (error.empty() && std::getline(parts, part, ',')) {
    const size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    const std::string value = equals < part.size() ? part.substr(equals + 1) : "";
    uint64_t number = 0;
    if (name == "seed") {
      if (!read_number(value, UINT64_MAX, &options->seed)) error = "seed must be a number";
    } else if (name == "processors") {
      if (!read_number(value, 1024, &number) || number == 0) error = "processors must be 1 to 1024";
      options->processors = static_cast<int>(number);
    } else if (name == "until") {
      if (!read_number(value, kMostKillNs, &options->until_ns)) error = "until must be NANOSECONDS";
    } else if (name == "faults") {
      options->faults = true;
      std::istringstream names(value);
      for (std::string kind; std::getline(names, kind, '+');) options->named_faults.insert(kind);
    } else if (name == "kill") {
      const size_t at = std::min(value.find('@'), value.size() - 1);
      const auto most = static_cast<uint64_t>(options->cores() - 1);
      if (!read_number(value.substr(0, at), most, &number) ||
          !read_number(value.substr(at + 1), kMostKillNs, &options->kill_ns)) {
        error = "kill must be CORE@NANOSECONDS";
      }
      options->kill_core = static_cast<int>(number);
    } else if ((name == "record" || name == "replay") && !value.empty()) {
      options->time = name == "record" ? SimTimes::Recorded : SimTimes::Replayed;
      options->slices = value;
    } else if (name == "network") {
      error = read_network(value, options);
    } else {
      error = "unknown option \"" + part +
              "\": expected seed=N, faults, until=NANOSECONDS, network=FILE, " +
              "kill=CORE@NANOSECONDS, processors=N, record=FOLDER or replay=FOLDER";
    }
  }
  // Slices contain the work of the core and of its links, except for the reading of the clock.
  if (options->time != SimTimes::Charged) {
    options->costs = {0, 0, 0, 0, 0, 0, 0, kLeastPs, options->costs.clock_ps, 0};
  }
  return error.empty() ? "" : "--simulate: " + error;
}

}  // namespace Grappa::detail
