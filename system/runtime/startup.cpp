#include "system/runtime/startup.hpp"

#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/failure/failure.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"
#include "system/observe/clock.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <glog/logging.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

/// In a simulation, the prefix of a line has no date and no thread, which differ between runs.
std::string prefix_of(google::LogSeverity severity, const char* file, int line) {
  return google::GetLogSeverityName(severity)[0] + std::to_string(steady_ns()) + " ns, core " +
         std::to_string(topology().mycore) + " " + file + ":" + std::to_string(line) + "] ";
}

/// glog calls send() while it holds its locks. Then it calls WaitTillSent() without its locks.
/// After a fatal message, glog would then end the process.
class Lines : public google::LogSink {
 public:
  int least_severity = google::NUM_SEVERITIES;  // lowest severity that is printed on stderr

  void send(google::LogSeverity severity, const char*, const char* file, int line,
            const google::LogMessageTime& time, const char* message, size_t bytes) override {
    if (severity == google::GLOG_FATAL) {
      if (sentence_.empty()) {
        sentence_.assign(message, bytes);
        place_ = std::string(file) + ":" + std::to_string(line);
      }
      fatal_ = true;
    } else if (severity >= least_severity && !FLAGS_logtostderr) {
      std::string text(message, bytes);
      if (FLAGS_log_prefix) {
        text = virtual_time == nullptr ? ToString(severity, file, line, time, message, bytes)
                                       : prefix_of(severity, file, line) + text;
      }
      text += '\n';
      const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
      (void)written;
    }
  }

  void WaitTillSent() override {
    if (fatal_) fail(sentence_, place_);
  }

 private:
  inline static thread_local bool fatal_ = false;
  std::string sentence_;
  std::string place_;
};

Lines& lines() {  // used by glog until the process ends
  static Lines* const sink = new Lines;
  return *sink;
}

/// Handles fatal messages that bypass all sinks. For clang, the type includes only this attribute.
__attribute__((noreturn)) void fail_after_message() { fail("a fatal message was logged"); }

/// Returns the hashes of all pieces of the file, which may be larger than the free memory.
std::string hashes_of_contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string piece(size_t{1} << 20, '\0'), hashes;
  while (file) {
    file.read(&piece[0], static_cast<std::streamsize>(piece.size()));
    const std::string_view read(piece.data(), static_cast<size_t>(file.gcount()));
    hashes += std::to_string(std::hash<std::string_view>()(read)) + " ";
  }
  return hashes;
}

/// No two files of this machine have the same identity.
std::string identity_of(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return "";
  std::string identity;
  for (const int64_t number :
       {static_cast<int64_t>(file.st_dev), static_cast<int64_t>(file.st_ino), int64_t{file.st_size},
        int64_t{file.st_mtim.tv_sec}, int64_t{file.st_mtim.tv_nsec}}) {
    identity += std::to_string(number) + " ";
  }
  return identity;
}

/// The program of a core and its load addresses.
struct Program {
  uint64_t begin;
  uint64_t contents;
  uint64_t libraries_begin;  // for libraries linked at a fixed address
  uint64_t libraries_contents;
};

/// Gathers the programs of all cores. `read` returns a text that distinguishes a file.
std::vector<Program> all_programs(std::string (*read)(const std::string& path)) {
  const std::vector<FixedFile> files = fixed_files();
  const std::hash<std::string> hash;
  std::string begins, contents;
  for (size_t k = 1; k < files.size(); ++k) {
    begins += std::to_string(files[k].begin) + " ";
    contents += std::to_string(hash(read(files[k].path))) + " ";
  }
  return world().all_gather(
      Program{files[0].begin, hash(read(files[0].path)), hash(begins), hash(contents)});
}

/// Reading a program of 20 MB takes 8 ms. On one machine, the contents are therefore compared only
/// if the files are different.
bool all_have_the_same_files() {
  if (topology().machine_cores != cores()) return false;
  const std::vector<Program> programs = all_programs(identity_of);
  return std::all_of(programs.begin(), programs.end(), [&programs](const Program& program) {
    return std::memcmp(&program, &programs[0], sizeof program) == 0;
  });
}

}  // namespace

void start_log(const char* program) {
  if (!google::IsGoogleLoggingInitialized()) {
    FLAGS_logtostderr = true;
    google::InitGoogleLogging(program);
  }
  google::InstallFailureFunction(fail_after_message);
  google::AddLogSink(&lines());
}

void take_over_log() {
  if (FLAGS_colorlogtostderr) return;  // only glog itself can print in colour
  if (FLAGS_logtostderr) {
    for (int severity = 0; severity < google::NUM_SEVERITIES; ++severity) {
      google::SetLogDestination(severity, "");  // no files
    }
  }
  lines().least_severity =
      FLAGS_logtostderr || FLAGS_alsologtostderr ? google::GLOG_INFO : FLAGS_stderrthreshold;
  FLAGS_logtostderr = FLAGS_alsologtostderr = false;
  FLAGS_stderrthreshold = google::NUM_SEVERITIES;
}

void check_same_program() {
  if (all_have_the_same_files()) return;
  const std::vector<Program> programs = all_programs(hashes_of_contents);
  const Program& first = programs[0];
  for (int core = 1; core < cores(); ++core) {
    const Program& other = programs[static_cast<size_t>(core)];
    const std::string name = "core " + std::to_string(core);
    if (first.contents != other.contents) {
      input_error(name + " runs another binary than core 0: start the same file on all machines");
    }
    if (first.begin != other.begin) {
      input_error(
          "the program is loaded at different addresses on different cores: link it with the CMake "
          "target Grappa::Grappa, or compile with -fno-pie and link with -no-pie");
    }
    if (first.libraries_contents != other.libraries_contents) {
      input_error(name +
                  " has other shared libraries of Grappa than core 0: install the same build "
                  "on all machines");
    }
    if (first.libraries_begin != other.libraries_begin) {
      input_error(name +
                  " has loaded the shared libraries of Grappa at another address than core 0, "
                  "because their address was occupied: use archives (BUILD_SHARED_LIBS=OFF)");
    }
  }
}

}  // namespace Grappa::detail
