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
    // Wrong: the body waits for core 0 while its payload is in a message buffer.
    send_message(
        last,
        [event](void* payload, size_t bytes) {
          const int64_t* begin = static_cast<int64_t*>(payload);
          for (size_t i = 0; i < bytes / sizeof *begin; ++i) {
            delegate::increment(make_global(&total, 0), begin[i]);
          }
          complete(event);
        },
        values, sizeof values);
    done.wait();
    std::cout << "the total is " << total << std::endl;
  });
  return finalize();
}
