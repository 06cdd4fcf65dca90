#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

struct Account {
  int64_t balance = 100;
};

struct Withdrawal {
  bool done;
  int64_t balance;
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    GlobalAddress<Account> accounts = symmetric<Account>();
    const Core last = cores() - 1;
    const Withdrawal withdrawal = delegate::call(last, [accounts]() -> Withdrawal {
      if (accounts->balance < 500) return {false, accounts->balance};
      accounts->balance -= 500;
      return {true, accounts->balance};
    });
    if (!withdrawal.done) {
      std::cout << "the balance is too low: " << withdrawal.balance << std::endl;
    }
    global_free(accounts);
  });
  return finalize();
}
