#include "system/runtime/first_failure.hpp"

#include "system/net/inherited_job.hpp"
#include "system/net/world.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

namespace Grappa {
namespace detail {
namespace {

using detail::FailureState;

std::atomic<uint32_t>* word = nullptr;

// The names of many functions may have to be found for the report.
constexpr int kMostTenthsForReport = 300;
constexpr int kTenthsToBeEnded = 30;
constexpr int kTenthsBetweenStarts = 10;

constexpr char kNameOfJob[] = "PMIX_NAMESPACE";

void sleep_tenth() {
  const timespec tenth = {0, 100000000};
  ::nanosleep(&tenth, nullptr);
}

/// Among the processes of a job that have no word in common: whoever can bind a socket to the name
/// of the job. Such names (Linux's abstract ones) are in no file system and end with their process.
/// getenv and snprintf are not on the list of what a signal handler may call, but glibc's take no
/// lock and no memory for this.
bool claim_name_of_job() {
  const char* job = std::getenv(kNameOfJob);
  if (job == nullptr) return true;  // not started by mpirun: one core
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return true;
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  const int length = std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1,
                                   "grappa failure %u %.80s", ::getuid(), job);
  const size_t bytes = offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length);
  return ::bind(socket, reinterpret_cast<sockaddr*>(&name), static_cast<socklen_t>(bytes)) == 0;
}

}  // namespace

void prepare_first_failure() {
  detail::JobMemory* const job = detail::inherited_job().memory;
  if (job != nullptr) word = &job->failure;
}

void share_first_failure() { word = detail::world().failure_word(); }

bool claim_failure() {
  if (word == nullptr) return claim_name_of_job();
  uint32_t expected = static_cast<uint32_t>(FailureState::None);
  return word->compare_exchange_strong(expected, static_cast<uint32_t>(FailureState::Claimed));
}

void failure_is_told() {
  if (word != nullptr) {
    word->store(static_cast<uint32_t>(FailureState::Reported));
  } else if (std::getenv(kNameOfJob) != nullptr) {
    // The name is free again when this process ends. Cores do not come to main at the same time.
    for (int k = 0; k < kTenthsBetweenStarts; ++k) sleep_tenth();
  }
}

void wait_to_be_ended() {
  const auto reported = [] {
    return word != nullptr && word->load() == static_cast<uint32_t>(FailureState::Reported);
  };
  for (int k = 0; k < kMostTenthsForReport && !reported(); ++k) sleep_tenth();
  for (int k = 0; k < kTenthsToBeEnded; ++k) sleep_tenth();
}

}  // namespace detail
}  // namespace Grappa
