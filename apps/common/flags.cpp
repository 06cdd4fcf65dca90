#include "apps/common/flags.hpp"

#include "structures/graph/file/graph_format.hpp"
#include "structures/text/quoted.hpp"
#include "system/base/input_error.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <gflags/gflags.h>
#include <sstream>

namespace apps {
namespace {

template <class T>
T check_range_of(const char* flag, T value, T min, T max) {
  if (value >= min && value <= max) return value;
  std::ostringstream sentence;
  sentence << "--" << flag << "=" << value << " is out of range; give " << min << " to " << max;
  Grappa::input_error(sentence.str());
}

void write(const char* flag, const std::string& path, const std::string& text,
           std::ios::openmode mode) {
  errno = 0;
  std::ofstream file(path.c_str(), mode);
  file << text << std::flush;
  if (!file) {
    Grappa::input_error("--" + std::string(flag) + "=" + Grappa::detail::printable(path) +
                        " cannot be written: " + std::strerror(errno));
  }
}

}  // namespace

bool is_given(const char* flag) { return !gflags::GetCommandLineFlagInfoOrDie(flag).is_default; }

void reject(std::initializer_list<const char*> flags, const std::string& why) {
  for (const char* flag : flags) {
    if (is_given(flag)) Grappa::input_error("--" + std::string(flag) + why);
  }
}

int64_t check_range(const char* flag, int64_t value, int64_t min, int64_t max) {
  return check_range_of(flag, value, min, max);
}

double check_range(const char* flag, double value, double min, double max) {
  return check_range_of(flag, value, min, max);
}

int check_choice(const char* flag, const std::string& value,
                 const std::vector<std::string>& choices) {
  std::string list;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (value == choices[i]) return int(i);
    list += (i == 0 ? "" : i + 1 < choices.size() ? ", " : " or ") + choices[i];
  }
  Grappa::input_error("--" + std::string(flag) + "=" + Grappa::detail::printable(value) +
                      " is unknown; give " + list);
}

void check_at_most(const char* flag, int64_t value, int64_t most, const char* what) {
  if (value <= most || !is_given(flag)) return;
  Grappa::input_error("--" + std::string(flag) + ": " + std::to_string(value) +
                      " is more than the " + std::to_string(most) + " " + what);
}

void check_no_surplus(int argc, char* argv[]) {
  if (argc <= 1) return;
  const std::string surplus = argv[1];
  Grappa::input_error(Grappa::detail::quoted(surplus.data(), surplus.data() + surplus.size()) +
                      " is not a flag; --help lists all flags");
}

void check_writable(const char* flag, const std::string& path) {
  if (path.empty()) return;
  write(flag, path, "", std::ios::app);
  const std::string problem = Grappa::detail::take_output_file("--" + std::string(flag), path);
  if (problem.empty()) return;
  Grappa::input_error("--" + std::string(flag) + "=" + Grappa::detail::printable(path) + " " +
                      problem);
}

void write_file(const char* flag, const std::string& path, const std::string& text) {
  if (!path.empty()) write(flag, path, text, std::ios::trunc);
}

}  // namespace apps
