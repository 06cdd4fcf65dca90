#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

struct Account {
  int64_t balance;
  int64_t transactions;
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const int64_t n = 100;
    GlobalAddress<Account> accounts = global_alloc<Account>(n);
    forall(accounts, n, [](Account& account) { account = Account{100, 0}; });

    // Words: read, write, and the atomic operations.
    GlobalAddress<int64_t> balance = global_pointer_to_member(accounts + 17, &Account::balance);
    delegate::write(balance, 500);
    const int64_t before = delegate::fetch_and_add(balance, 50);
    std::cout << "it was " << before << " and is " << delegate::read(balance) << std::endl;

    // Any code, run by the owner. No other task accesses the account meanwhile.
    const auto withdraw = [](GlobalAddress<Account> from, int64_t amount) {
      return delegate::call(from, [amount](Account& account) {
        if (account.balance < amount) return false;
        account.balance -= amount;
        ++account.transactions;
        return true;
      });
    };
    std::cout << "withdrawing 600: " << withdraw(accounts + 17, 600) << std::endl;
    std::cout << "withdrawing 300: " << withdraw(accounts + 17, 300) << std::endl;

    // Async calls: the finish waits for all of them.
    finish([accounts] {
      for (int64_t i = 0; i < n; ++i) {
        delegate::call<async>(accounts + i, [](Account& account) { account.balance += 1; });
      }
    });

    // One task starts many reads, and then waits for all of them.
    std::vector<Future<Account>> reads;
    for (int64_t i = 0; i < n; ++i) reads.push_back(delegate::read_future(accounts + i));
    int64_t total = 0;
    for (Future<Account>& account : reads) total += account.get().balance;
    std::cout << "all together hold " << total << std::endl;

    global_free(accounts);
  });
  return finalize();
}
