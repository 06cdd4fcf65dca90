/// A job of two cores for bench/message_latency, which measures reads of one word and the baseline.

#include <Grappa.hpp>

#include "bench/message_reads.hpp"
#include "bench/raw_side.hpp"

#include <cstdio>

DEFINE_int64(reads, 2000, "number of reads, one after another");

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  bool right = true;
  Grappa::run([&right] {
    bench::prepare_raw_side();
    const bench::Measurement read = bench::read_ns(FLAGS_reads, bench::Beside::Nothing);
    std::printf("read_ns: %.9g\nhalf_round_trip_ns: %.9g\n", read.value,
                bench::raw_half_round_trip_ns());
    right = read.verified;
  });
  Grappa::finalize();
  return right ? 0 : 1;
}
