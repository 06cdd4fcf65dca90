#include <Grappa.hpp>

#include <chrono>
#include <iostream>
#include <string>
#include <thread>

using namespace Grappa;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    std::string order;
    // Wrong: the thread sleeps, so no task and no message of this core runs.
    finish([&order] {
      spawn([&order] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        order += " sleeper";
      });
      spawn([&order] { order += " other"; });
    });
    std::cout << "the thread sleeps:" << order << std::endl;

    // Right: the task sleeps.
    order.clear();
    finish([&order] {
      spawn([&order] {
        Grappa::sleep_for(0.1);
        order += " sleeper";
      });
      spawn([&order] { order += " other"; });
    });
    std::cout << "the task sleeps:" << order << std::endl;
  });
  return finalize();
}
