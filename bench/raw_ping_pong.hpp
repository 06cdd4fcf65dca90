#pragma once

/// A message of one cache line that two processes send each other alternately: the fastest round
/// trip between two processors. The code is independent of Grappa.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace raw {

class PingPong {
 public:
  /// The shared memory of both processes, initially 0.
  struct Court {
    struct alignas(64) Line {
      std::atomic<uint64_t> number;  // number of the message
      uint64_t words[7];             // contents of the message
    };
    Line ball;
    Line answer;
  };

  explicit PingPong(void* court) : court_(static_cast<Court*>(court)) {}

  /// Runs the process that starts. Returns the first word of the last answer, which is `trips`,
  /// because the partner adds 1 to each value.
  uint64_t serve(int64_t trips) {
    uint64_t words[7] = {};
    for (int64_t k = 0; k < trips; ++k) {
      ++number_;
      send(&court_->ball, words);
      receive(&court_->answer, words);
    }
    return words[0];
  }

  /// Runs the partner. `trips` must be the same number as in serve().
  void answer(int64_t trips) {
    uint64_t words[7];
    for (int64_t k = 0; k < trips; ++k) {
      ++number_;
      receive(&court_->ball, words);
      ++words[0];
      send(&court_->answer, words);
    }
  }

 private:
  void send(Court::Line* line, const uint64_t* words) {
    for (int k = 0; k < 7; ++k) line->words[k] = words[k];
    line->number.store(number_, std::memory_order_release);  // pairs with the acquire in receive
  }

  void receive(Court::Line* line, uint64_t* words) {
    while (line->number.load(std::memory_order_acquire) != number_) {}  // pairs with send
    for (int k = 0; k < 7; ++k) words[k] = line->words[k];
  }

  Court* court_;
  uint64_t number_ = 0;  // number of the current message
};

}  // namespace raw
