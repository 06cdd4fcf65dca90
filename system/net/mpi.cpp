#include "system/net/mpi.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/net/world.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef OPEN_MPI
#error "Grappa requires Open MPI: MpiLibrary uses symbols that only Open MPI has"
#endif

namespace Grappa::detail {
namespace {

/// Searches the program first, then its libraries, because a program that calls MPI may hold MPI's
/// objects in its own memory (copy relocations), and a profiler may intercept MPI's functions.
template <class T>
T find(const char* name) {
  void* const address = ::dlsym(RTLD_DEFAULT, name);
  GRAPPA_CHECK(address != nullptr) << "libmpi has no symbol " << name << ": load the Open MPI "
                                   << "version with which Grappa was built";
  return reinterpret_cast<T>(address);
}

/// The functions of MPI, without the prefix MPI_, and the constants of MPI. Libmpi is loaded on
/// demand, because it costs memory and most jobs do not call MPI (docs/design.md, Processes, cores,
/// locales).
#define GRAPPA_MPI(name) decltype(&MPI_##name) name = find<decltype(&MPI_##name)>("MPI_" #name)
struct MpiLibrary {
  GRAPPA_MPI(Allgather);
  GRAPPA_MPI(Barrier);
  GRAPPA_MPI(Cancel);
  GRAPPA_MPI(Comm_dup);
  GRAPPA_MPI(Comm_free);
  GRAPPA_MPI(Comm_rank);
  GRAPPA_MPI(Comm_size);
  GRAPPA_MPI(Comm_split_type);
  GRAPPA_MPI(Finalize);
  GRAPPA_MPI(Gather);
  GRAPPA_MPI(Iallreduce);
  GRAPPA_MPI(Init_thread);
  GRAPPA_MPI(Irecv);
  GRAPPA_MPI(Isend);
  GRAPPA_MPI(Test);
  GRAPPA_MPI(Testsome);
  GRAPPA_MPI(Wait);
  MPI_Comm world = find<MPI_Comm>("ompi_mpi_comm_world");
  MPI_Datatype byte = find<MPI_Datatype>("ompi_mpi_byte");
  MPI_Datatype uint64 = find<MPI_Datatype>("ompi_mpi_uint64_t");
  MPI_Op sum = find<MPI_Op>("ompi_mpi_op_sum");
  MPI_Info no_info = find<MPI_Info>("ompi_mpi_info_null");
  MPI_Request no_request = find<MPI_Request>("ompi_request_null");
};
#undef GRAPPA_MPI

const MpiLibrary* mpi = nullptr;

/// Loads libmpi. If libmpi is missing, exits with status 2 and a message of one line.
void load_mpi() {
  const int mode = RTLD_NOW | RTLD_GLOBAL;  // Open MPI's plug-ins resolve its symbols globally
  void* library = ::dlopen(GRAPPA_MPI_NAME, mode);
  if (library == nullptr) library = ::dlopen(GRAPPA_MPI_FOLDER "/" GRAPPA_MPI_NAME, mode);
  if (library == nullptr) {
    input_error(std::string("MPI cannot be loaded: ") + ::dlerror() +
                "; install Open MPI, or add its directory to LD_LIBRARY_PATH");
  }
  static const MpiLibrary loaded;
  mpi = &loaded;
}

/// Over TCP, MPI sends a message that is longer than this limit in two parts. The second part, of a
/// few bytes, waits for an answer, which waits behind the messages that the receiver sends itself.
/// The default is 64 KiB with the headers of MPI, so a full buffer is longer. On a link of 5 ms and
/// 200 Mbit/s, the updates of bench/gups_job are 1.4 times as fast with a higher limit.
void send_over_tcp_at_once() {
  constexpr const char* kTcpEagerBytes = "131072";  // the most that MPI sends as one part
  ::setenv("OMPI_MCA_btl_tcp_eager_limit", kTcpEagerBytes, 0);
}

class MpiWorld : public World {
 public:
  MpiWorld(int* argc, char** argv[]) {
    load_mpi();
    send_over_tcp_at_once();
    int provided = 0;
    mpi->Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    mpi->Comm_size(mpi->world, &size_);
    mpi->Comm_rank(mpi->world, &rank_);
    if (size_ >= kMaxCores) refuse_size();
    mpi->Comm_dup(mpi->world, &votes_);
  }

  ~MpiWorld() override {
    const LateEvents late_events;
    mpi->Comm_free(&votes_);
    mpi->Finalize();
  }

  static constexpr unsigned kSecondsToEnd = 5;

  // Core 0 prints a line and exits. MPI usually ends the processes of the other cores then.
  [[noreturn]] void refuse_size() const {
    if (rank_ == 0) {
      input_error("a job has at most " + std::to_string(kMaxCores - 1) + " cores, but " +
                  std::to_string(size_) + " processes were started");
    }
    ::sleep(kSecondsToEnd);
    ::_exit(kInputErrorStatus);
  }

  void barrier() override { mpi->Barrier(mpi->world); }

  Topology discover_topology(int cores_per_locale) override {
    MPI_Comm machine;
    mpi->Comm_split_type(mpi->world, MPI_COMM_TYPE_SHARED, rank_, mpi->no_info, &machine);
    int machine_cores = 0, place = 0;
    mpi->Comm_size(machine, &machine_cores);
    mpi->Comm_rank(machine, &place);
    const Core mycore = static_cast<Core>(rank_);
    std::vector<Core> members(static_cast<size_t>(machine_cores));
    mpi->Allgather(&mycore, sizeof mycore, mpi->byte, members.data(), sizeof mycore, mpi->byte,
                   machine);
    mpi->Comm_free(&machine);
    const int first = cores_per_locale > 0 ? place - place % cores_per_locale : 0;
    Topology topology =
        topology_from_first_cores(World::all_gather(members[static_cast<size_t>(first)]), mycore);
    topology.machine_cores = machine_cores;
    topology.machine_first = members.front();
    return topology;
  }

  std::unique_ptr<Link> make_far_link(const LinkOptions& options) override {
    return std::unique_ptr<Link>(new MpiLink(options.buffer_bytes, options.posted_receives));
  }

  std::atomic<uint32_t>* failure_word() override {
    const Core first = topology().machine_first;
    SharedMemory mine;
    if (rank_ == first) mine = create_shared_memory(page_bytes());
    const std::pair<int, int> handle(::getpid(), mine.descriptor);
    const auto its = World::all_gather(handle)[static_cast<size_t>(first)];
    void* const word = rank_ == first
                           ? mine.address
                           : try_attach_shared_memory(its.first, its.second, page_bytes());
    barrier();  // all cores have mapped the word
    close_shared_memory(&mine);
    return static_cast<std::atomic<uint32_t>*>(word);
  }

 private:
  std::vector<char> gather(const void* mine, size_t bytes, bool on_all_cores) override {
    std::vector<char> all(on_all_cores || rank_ == 0 ? static_cast<size_t>(size_) * bytes : 0);
    const int n = static_cast<int>(bytes);
    if (on_all_cores) {
      mpi->Allgather(mine, n, mpi->byte, all.data(), n, mpi->byte, mpi->world);
    } else {
      mpi->Gather(mine, n, mpi->byte, all.data(), n, mpi->byte, 0, mpi->world);
    }
    return all;
  }

  void start_sum(uint64_t* values, size_t n, Sequence sequence) override {
    mpi->Iallreduce(MPI_IN_PLACE, values, static_cast<int>(n), mpi->uint64, mpi->sum,
                    sequence == Sequence::Votes ? votes_ : mpi->world,
                    &sums_[static_cast<int>(sequence)]);
  }

  bool sum_done(Sequence sequence) override {
    int done = 0;
    mpi->Test(&sums_[static_cast<int>(sequence)], &done, MPI_STATUS_IGNORE);
    return done != 0;
  }

  int size_ = 0;
  int rank_ = 0;
  MPI_Comm votes_;
  MPI_Request sums_[2];
};

pid_t maker = 0;         // the thread that constructed the LateEvents
struct sigaction usual;  // the action before LateEvents

/// If the processor could not fetch the first instruction of a function, returns from the call of
/// the function. The return address is still on top of the stack.
void on_fault(int signal, siginfo_t* info, [[maybe_unused]] void* interrupted) {
#ifdef __x86_64__
  auto& registers = static_cast<ucontext_t*>(interrupted)->uc_mcontext.gregs;
  if (info->si_code == SEGV_MAPERR && ::gettid() != maker &&
      registers[REG_RIP] == reinterpret_cast<greg_t>(info->si_addr)) {
    registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]);
    registers[REG_RSP] += static_cast<greg_t>(sizeof(greg_t));
    return;
  }
#endif
  // If the signal is a fault, the fault repeats when this handler returns. If a process has sent
  // the signal, the signal must be raised again.
  ::sigaction(signal, &usual, nullptr);
  if (info->si_code <= 0) ::raise(signal);
}

constexpr int kTag = 0;

}  // namespace

std::unique_ptr<World> make_mpi_world(int* argc, char** argv[]) {
  return std::unique_ptr<World>(new MpiWorld(argc, argv));
}

MpiLink::MpiLink(size_t buffer_bytes, int posted_receives)
    : buffer_bytes_(buffer_bytes),
      receive_bytes_(buffer_bytes * static_cast<size_t>(posted_receives)),
      receive_memory_(static_cast<char*>(map_private(receive_bytes_))) {
  mpi->Comm_dup(mpi->world, &comm_);
  for (size_t at = 0; at < receive_bytes_; at += buffer_bytes) {
    give_back(reinterpret_cast<Buffer*>(receive_memory_ + at));
  }
}

MpiLink::~MpiLink() {
  GRAPPA_CHECK(!sending()) << "MPI sends are still in progress";
  for (Receive& receive : posted_) {
    mpi->Cancel(&receive.request);
    mpi->Wait(&receive.request, MPI_STATUS_IGNORE);
  }
  mpi->Comm_free(&comm_);
  unmap(receive_memory_, receive_bytes_);
}

bool MpiLink::try_send(size_t dest, Buffer* buffer) {
  send_requests_.push_back(nullptr);
  send_buffers_.push_back(buffer);
  mpi->Isend(buffer, static_cast<int>(sizeof(Buffer) + buffer->used_bytes), mpi->byte,
             static_cast<int>(dest), kTag, comm_, &send_requests_.back());
  return true;
}

Buffer* MpiLink::completed() {
  if (finished_.empty() && !send_requests_.empty()) {
    ended_.resize(send_requests_.size());
    int count = 0;
    mpi->Testsome(static_cast<int>(ended_.size()), send_requests_.data(), &count, ended_.data(),
                  MPI_STATUSES_IGNORE);
    for (int k = 0; k < count; ++k) {
      const size_t at = static_cast<size_t>(ended_[static_cast<size_t>(k)]);
      finished_.push_back(std::exchange(send_buffers_[at], nullptr));
    }
    if (count > 0) {
      const auto remove = [](auto* from, auto* value) {
        from->erase(std::remove(from->begin(), from->end(), value), from->end());
      };
      remove(&send_buffers_, static_cast<Buffer*>(nullptr));
      remove(&send_requests_, mpi->no_request);  // set by Testsome for completed requests
    }
  }
  if (finished_.empty()) return nullptr;
  Buffer* buffer = finished_.back();
  finished_.pop_back();
  return buffer;
}

Buffer* MpiLink::receive() {
  if (posted_.empty()) return nullptr;
  int arrived = 0;
  mpi->Test(&posted_.front().request, &arrived, MPI_STATUS_IGNORE);
  if (arrived == 0) return nullptr;
  Buffer* buffer = posted_.front().buffer;
  posted_.pop_front();
  buffer->origin = BufferOrigin::Received;
  return buffer;
}

void MpiLink::give_back(Buffer* buffer) {
  posted_.push_back(Receive{nullptr, buffer});
  mpi->Irecv(buffer, static_cast<int>(buffer_bytes_), mpi->byte, MPI_ANY_SOURCE, kTag, comm_,
             &posted_.back().request);
}

LateEvents::LateEvents() {
  maker = ::gettid();
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, nullptr, &usual);  // first, because on_fault reads `usual`
  ::sigaction(SIGSEGV, &action, nullptr);
}

LateEvents::~LateEvents() { ::sigaction(SIGSEGV, &usual, nullptr); }

}  // namespace Grappa::detail
