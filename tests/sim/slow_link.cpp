/// A link between two network namespaces with the delay and the rate of a simulated network
/// (docs/simulation.md): a packet waits until its port has sent the earlier ones, and arrives after
/// the delay. It replaces the kernel's netem, which many kernels do not have.
///
///   slow_link NAMESPACE NAMESPACE DELAY-MICROSECONDS MEGABITS-PER-SECOND
///
/// Makes the interface eth0 in both namespaces, with packets of up to 9,000 bytes, prints "ready",
/// and runs until it is killed. It runs before all other processes, since a real link needs no
/// processor.

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int64_t kNever = INT64_MAX;

[[noreturn]] void fail(const std::string& what) {
  std::perror(what.c_str());
  std::exit(1);
}

int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// Returns the file that reads what the namespace sends.
int make_interface(const std::string& space) {
  const int at = open(("/run/netns/" + space).c_str(), O_RDONLY | O_CLOEXEC);
  if (at < 0 || setns(at, CLONE_NEWNET) != 0) fail(space);
  close(at);
  const int file = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ifreq request = {};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  std::strcpy(request.ifr_name, "eth0");
  if (file < 0 || ioctl(file, TUNSETIFF, &request) != 0) fail("/dev/net/tun");
  const int network = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  request.ifr_mtu = 9000;
  if (network < 0 || ioctl(network, SIOCSIFMTU, &request) != 0) fail("the size of packets");
  close(network);
  return file;
}

class Direction {
 public:
  Direction(int from, int to, int64_t delay_ns, double ns_per_byte)
      : from_(from), to_(to), delay_ns_(delay_ns), ns_per_byte_(ns_per_byte) {}

  // Takes the packets that were sent, and delivers those that arrive now.
  void forward() {
    char bytes[65536];
    for (ssize_t n; (n = read(from_, bytes, sizeof bytes)) > 0;) {
      free_ns_ = std::max(free_ns_, now_ns()) + int64_t(double(n) * ns_per_byte_);
      packets_.push_back({free_ns_ + delay_ns_, std::vector<char>(bytes, bytes + n)});
    }
    while (next_ns() <= now_ns()) {
      const std::vector<char>& packet = packets_.front().bytes;
      if (write(to_, packet.data(), packet.size()) < 0 && errno != EAGAIN && errno != EIO) {
        fail("an interface");
      }
      packets_.pop_front();
    }
  }

  int64_t next_ns() const { return packets_.empty() ? kNever : packets_.front().arrival_ns; }

 private:
  struct Packet {
    int64_t arrival_ns;
    std::vector<char> bytes;
  };

  const int from_, to_;
  const int64_t delay_ns_;
  const double ns_per_byte_;
  int64_t free_ns_ = 0;  // the port has sent all packets
  std::deque<Packet> packets_;
};

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 5) return 2;
  const sched_param priority = {1};
  if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) fail("the priority");
  const int a = make_interface(argv[1]), b = make_interface(argv[2]);
  const int64_t delay_ns = std::atoll(argv[3]) * 1000;
  const double ns_per_byte = 8000 / std::atof(argv[4]);
  Direction there(a, b, delay_ns, ns_per_byte), back(b, a, delay_ns, ns_per_byte);
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    there.forward();
    back.forward();
    const int64_t next = std::min(there.next_ns(), back.next_ns());
    const int64_t wait = std::max<int64_t>(0, next - now_ns());
    const timespec timeout = {wait / 1000000000, wait % 1000000000};
    pollfd files[] = {{a, POLLIN, 0}, {b, POLLIN, 0}};
    ppoll(files, 2, next == kNever ? nullptr : &timeout, nullptr);
  }
}
