#include <Grappa.hpp>

#include <iostream>
#include <stdexcept>

using namespace Grappa;

struct Account {
  int64_t balance = 100;
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    GlobalAddress<Account> accounts = symmetric<Account>();
    const Core last = cores() - 1;
    try {
      // Wrong: the body runs on another core, and the exception does not come back.
      delegate::call(last, [accounts] {
        if (accounts->balance < 500) throw std::runtime_error("the balance is too low");
        accounts->balance -= 500;
      });
    } catch (const std::exception& error) {
      std::cout << error.what() << std::endl;
    }
  });
  return finalize();
}
