#include "bench/harness/bench.hpp"

#include "bench/harness/callgrind.hpp"
#include "bench/harness/table.hpp"
#include "structures/text/quoted.hpp"
#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/runtime/flags.hpp"
#include "system/runtime/runtime.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <errno.h>  // program_invocation_short_name
#include <limits.h>
#include <unistd.h>

#include <gflags/gflags.h>

DEFINE_bool(quick, false, "fewer repetitions and smaller sizes: less than a minute");
DEFINE_string(json, "", "output file for the results as JSON");
DEFINE_string(commit, "unknown", "measured commit, for the result file; set by the launcher");
DEFINE_string(portable, "", "this program built without -march=native, for instruction counts");
DEFINE_string(instructions_of, "", "run only the operation of this figure; for callgrind");
DEFINE_int64(iterations, 1, "number of iterations with --instructions_of");

namespace bench {
namespace {

// True if callgrind counts the instructions of this process.
bool counting() { return !FLAGS_instructions_of.empty(); }

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);  // the next figure may take a long time
}

// Returns an empty string, or an error message.
std::string write_json(const std::string& text, std::ios::openmode mode) {
  errno = 0;
  std::ofstream file(FLAGS_json.c_str(), mode);
  file << text << std::flush;
  if (file) return "";
  return "--json=" + Grappa::detail::printable(FLAGS_json) +
         " cannot be written: " + std::strerror(errno);
}

std::string path_of_this_program() {
  std::vector<char> path(PATH_MAX);
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  GRAPPA_CHECK(length > 0) << "/proc/self/exe: " << std::strerror(errno);
  return std::string(path.data(), static_cast<size_t>(length));
}

// Reports an error at a time when the job can no longer be aborted.
int complain(const std::string& sentence) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, sentence.c_str());
  return Grappa::detail::kInputErrorStatus;
}

// Quotes an argument for a shell, if necessary.
std::string in_quotes_if_needed(const std::string& argument) {
  const char* const plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Returns the name in --name or --name=value, or an empty string if the argument is not a flag.
std::string name_of_flag(const std::string& argument) {
  const size_t begin = argument.find_first_not_of('-');
  if (begin == 0 || begin == std::string::npos) return "";
  return argument.substr(begin, argument.find('=') - begin);
}

// Returns the arguments that affect figures: all except the output file and launcher flags.
std::vector<std::string> question(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const std::string name = name_of_flag(arguments[k]);
    if (name != "json" && name != "commit" && name != "portable") {
      result.push_back(arguments[k]);
    } else if (arguments[k].find('=') == std::string::npos) {
      ++k;  // skips the value of the flag
    }
  }
  return result;
}

}  // namespace

Bench::Bench(int* argc, char** argv[], Processes processes)
    : arguments_(*argv + 1, *argv + *argc), processes_(processes) {
  if (!google::IsGoogleLoggingInitialized()) {
    FLAGS_logtostderr = true;
    google::InitGoogleLogging((*argv)[0]);
  }
  take_flags(argc, argv);
  if (ranks_.rank() != 0) {
    // If process 0 ends before it releases this process, it has reported an error.
    if (!ranks_.wait_for_release()) std::exit(Grappa::detail::kInputErrorStatus);
    return;
  }
  describe_run();
  if (counting()) return;
  partner_.reset(new PingPong);
  ranks_.gather();
  result_.before = probe(partner_.get());
  ranks_.release();
  print(table_heading(result_));
}

// Other cores ignore errors: core 0 finds the same errors and aborts the job.
void Bench::take_flags(int* argc, char** argv[]) {
  std::string problem = Grappa::detail::parse_flags(argc, argv);
  if (Grappa::detail::help_requested()) {
    if (ranks_.rank() == 0) print(Grappa::detail::flags_help(program_invocation_short_name));
    std::exit(0);
  }
  if (ranks_.rank() != 0) return;
  if (problem.empty()) options_ = Grappa::detail::options_from_flags(&problem);
  if (problem.empty() && *argc > 1) {
    const std::string surplus = (*argv)[1];
    problem = Grappa::detail::quoted(surplus.data(), surplus.data() + surplus.size()) +
              " is not a flag; --help lists all flags";
  }
  if (problem.empty() && processes_ == Processes::One && ranks_.size() > 1) {
    problem = "this benchmark runs as one process, not a job of " + std::to_string(ranks_.size());
  }
  if (problem.empty() && !FLAGS_json.empty() && !counting())
    problem = write_json("", std::ios::app);
  if (!problem.empty()) Grappa::input_error(problem);
}

void Bench::describe_run() {
  result_.benchmark = program_invocation_short_name;
  result_.commit = FLAGS_commit;
  result_.quick = FLAGS_quick;
  result_.command = program_invocation_short_name;  // the name without the path of the build
  for (const std::string& argument : question(arguments_)) {
    result_.command += " " + in_quotes_if_needed(argument);
  }
  result_.machine = this_machine(ranks_.size());
}

bool Bench::quick() const { return FLAGS_quick; }

std::string Bench::id_of_run(const std::string& id) const {
  return quick() ? id + kQuickSuffix : id;
}

void Bench::check_new(const std::string& id) const {
  for (const Figure& figure : result_.figures) {
    GRAPPA_CHECK(figure.question.id != id) << "two figures have the id " << id;
  }
  for (const Omission& omission : result_.omitted) {
    GRAPPA_CHECK(omission.id != id) << "two figures have the id " << id;
  }
}

Figure Bench::compare(const Question& question, const Body& subject, const Body& baseline,
                      const PairOptions& options) {
  if (counting()) return Figure();
  check_new(id_of_run(question.id));  // checks the id before the measurement
  const Figure figure = measure_pairs(question, subject, baseline,
                                      quick() ? options.quick_pairs : options.pairs, options);
  record(figure);
  return figure;
}

void Bench::record(const Figure& figure) {
  if (counting()) return;
  Figure named = figure;
  named.question.id = id_of_run(figure.question.id);
  check_new(named.question.id);
  result_.figures.push_back(named);
  print(table_row(named));
}

void Bench::omit(const std::string& id, const std::string& why) {
  if (counting()) return;
  const std::string id_here = id_of_run(id);
  check_new(id_here);
  result_.omitted.push_back(Omission{id_here, why});
  print(table_row(result_.omitted.back()));
}

void Bench::instructions(const Question& question, const std::function<bool(int64_t n)>& operation,
                         int64_t n) {
  if (!counting()) {
    record_instructions(question, n);
  } else if (FLAGS_instructions_of == question.id) {
    const int status = operation(FLAGS_iterations) ? 0 : 1;
    processes_ == Processes::Job ? Grappa::end_job(status) : std::exit(status);
  }
}

void Bench::record_instructions(const Question& question, int64_t n) {
  const auto arguments = [&](int64_t iterations) {
    std::vector<std::string> result = arguments_;
    result.push_back("--instructions_of=" + question.id);
    result.push_back("--iterations=" + std::to_string(iterations));
    return result;
  };
  const std::string program = FLAGS_portable.empty() ? path_of_this_program() : FLAGS_portable;
  const InstructionCount counted = count_instructions(program, arguments, n);
  if (!counted.problem.empty()) {
    omit(question.id, counted.problem);
    return;
  }
  Figure figure = count(question, counted.instructions);
  figure.verified = counted.verified;
  record(figure);
}

std::function<double()> Bench::ping_pong() {
  PingPong* const partner = partner_.get();
  if (partner == nullptr) return nullptr;
  return [partner] { return partner->half_round_trip_ns(); };
}

int Bench::finish() {
  if (counting()) {
    return complain("--instructions_of=" + Grappa::detail::printable(FLAGS_instructions_of) +
                    " is not a figure whose instructions this benchmark counts");
  }
  if (ranks_.rank() != 0) return 0;
  ranks_.wait_until_gone();
  result_.after = probe(partner_.get());
  print(table_footing(result_));
  if (!FLAGS_json.empty()) {
    const std::string problem = write_json(to_json(result_), std::ios::trunc);
    if (!problem.empty()) return complain(problem);
  }
  return result_.verified() ? 0 : 1;
}

}  // namespace bench
