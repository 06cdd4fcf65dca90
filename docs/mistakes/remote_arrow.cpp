#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

struct Account {
  int64_t number;
  int64_t balance;
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const int64_t n = 1000;
    GlobalAddress<Account> accounts = global_alloc<Account>(n);
    forall(accounts, n, [](int64_t i, Account& account) { account = {i, 100 * i}; });

    // Wrong: `->` follows a pointer of this core, but the accounts 4 to 7 are on the next core.
    std::cout << "by ->: account " << (accounts + 5)->number << std::endl;

    // Right: the owner reads the account.
    const Account account = delegate::read(accounts + 5);
    std::cout << "by read: account " << account.number << std::endl;
    global_free(accounts);
  });
  return finalize();
}
