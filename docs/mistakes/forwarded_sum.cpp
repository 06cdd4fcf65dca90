#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

int64_t total = 0;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const Core last = cores() - 1;
    const int64_t values[] = {1, 2, 3};
    CompletionEvent done(1);
    const GlobalAddress<CompletionEvent> event = make_global(&done);
    // The body sends its sum to core 0, and does not wait.
    send_message(
        last,
        [event](void* payload, size_t bytes) {
          const int64_t* begin = static_cast<int64_t*>(payload);
          int64_t sum = 0;
          for (size_t i = 0; i < bytes / sizeof *begin; ++i) sum += begin[i];
          send_message(0, [event, sum] {
            total += sum;
            complete(event);
          });
        },
        values, sizeof values);
    done.wait();
    std::cout << "the total is " << total << std::endl;
  });
  return finalize();
}
