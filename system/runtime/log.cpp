#include "system/runtime/log.hpp"

#include "system/failure/failure.hpp"

#include <string>

#include <glog/logging.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

/// glog calls send() while it holds its locks. It then calls WaitTillSent() without its locks, and
/// would end the process after that.
class Lines : public google::LogSink {
 public:
  int least_severity = google::NUM_SEVERITIES;  // the lowest severity that goes to stderr

  void send(google::LogSeverity severity, const char*, const char* file, int line,
            const google::LogMessageTime& time, const char* message, size_t bytes) override {
    if (severity == google::GLOG_FATAL) {
      if (sentence_.empty()) {
        sentence_.assign(message, bytes);
        place_ = std::string(file) + ":" + std::to_string(line);
      }
      fatal_ = true;
    } else if (severity >= least_severity && !FLAGS_logtostderr) {
      const std::string text = FLAGS_log_prefix
                                   ? ToString(severity, file, line, time, message, bytes)
                                   : std::string(message, bytes);
      const std::string whole = text + "\n";
      const ssize_t written = ::write(STDERR_FILENO, whole.data(), whole.size());
      (void)written;
    }
  }

  void WaitTillSent() override {
    if (fatal_) fail(sentence_, place_);
  }

 private:
  static thread_local bool fatal_;
  std::string sentence_;
  std::string place_;
};

thread_local bool Lines::fatal_ = false;

/// glog uses this object until the process ends.
Lines& lines() {
  static Lines* const sink = new Lines;
  return *sink;
}

/// For fatal messages that bypass all sinks. clang treats only this one of the two
/// attributes for functions that do not return as a part of the type that glog requires.
__attribute__((noreturn)) void fail_after_message() { fail("a fatal message was logged"); }

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
  if (FLAGS_colorlogtostderr) return;  // only glog prints in colour
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

}  // namespace Grappa::detail
