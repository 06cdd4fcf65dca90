#include "system/failure/failure_claim.hpp"

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

// The report may have to look up the names of many functions.
constexpr int kMostTenthsForReport = 300;
constexpr int kTenthsToBeEnded = 30;
constexpr int kTenthsBetweenStarts = 10;

constexpr char kNameOfJob[] = "PMIX_NAMESPACE";

void sleep_tenth() {
  const timespec tenth = {0, 100000000};
  ::nanosleep(&tenth, nullptr);
}

/// Claims the report among the processes of a job that share no memory: the first process that can
/// bind a socket to the name of the job wins. Such a name (Linux's abstract namespace) is in no
/// file system and ends with its process. POSIX does not allow getenv and snprintf in signal
/// handlers, but glibc's versions take no lock and allocate no memory here.
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

void prepare_failure_claim() {
  detail::JobMemory* const job = detail::inherited_job().memory;
  if (job != nullptr) word = &job->failure;
}

void share_failure_claim() { word = detail::world().failure_word(); }

bool claim_failure() {
  if (word == nullptr) return claim_name_of_job();
  uint32_t expected = static_cast<uint32_t>(FailureState::None);
  return word->compare_exchange_strong(expected, static_cast<uint32_t>(FailureState::Claimed));
}

void failure_reported() {
  if (word != nullptr) {
    word->store(static_cast<uint32_t>(FailureState::Reported));
  } else if (std::getenv(kNameOfJob) != nullptr) {
    // The name is free again when this process ends, and some cores may not have reached main yet.
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
