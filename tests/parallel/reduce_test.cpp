#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

// Each core has its own instances.
int64_t count = 0;
int64_t other_count = 0;
double weight = 0;

double minus(const double& a, const double& b) { return a - b; }

int64_t sum_of_numbers() { return int64_t{cores()} * (cores() - 1) / 2; }

TEST(SumAllCores, AddsUpWhatEachCoreReturns) {
  EXPECT_EQ(cores(), sum_all_cores([] { return int64_t{1}; }));
  EXPECT_EQ(0.5 * cores(), sum_all_cores([] { return 0.5; }));
}

TEST(SumAllCores, WaitsForWhatTheBodiesHaveStarted) {
  on_all_cores([] { count = 0; });
  sum_all_cores([] {
    spawn([] {
      yield();
      ++count;
    });
    return 0;
  });
  on_all_cores([] { EXPECT_EQ(1, count); });
}

TEST(Reduce, CombinesTheObjectsOfFileScopeOfAllCores) {
  on_all_cores([] { count = mycore() + 5; });
  EXPECT_EQ(sum_of_numbers() + 5 * cores(), (reduce<int64_t, collective_add>(&count)));
  EXPECT_EQ(5, (reduce<int64_t, collective_min>(&count))) << "T() takes no part";
  const Core last = static_cast<Core>(cores() - 1);
  EXPECT_EQ(last + 5, (delegate::call(last, [] {
              return reduce<int64_t, collective_max<int64_t>>(&count);  // any core may call it
            })));
}

TEST(Reduce, CombinesInTheOrderOfTheCoresWhereverItIsCalled) {
  on_all_cores([] { weight = mycore() == 0 ? 100 : mycore(); });
  on_all_cores([] {
    const double expected = 100 - static_cast<double>(sum_of_numbers());
    EXPECT_EQ(expected, (reduce<double, minus>(&weight)));
  });
}

struct Record {
  int64_t length;
  char name[90];
};
int64_t length_of(GlobalAddress<Record> record) { return record->length; }
int64_t slow_length_of(GlobalAddress<Record> record) {
  const Core next = static_cast<Core>((mycore() + 1) % cores());
  return delegate::call(next, [record] { return record->length; });
}

TEST(Reduce, CombinesSymmetricObjects) {
  const auto number = symmetric<int64_t>(int64_t{3});
  EXPECT_EQ(3 * cores(), (reduce<int64_t, collective_add>(number)));
  on_all_cores([number] { *number += mycore(); });
  EXPECT_EQ(sum_of_numbers() + 3 * cores(), (reduce<int64_t, collective_add>(number)));
  global_free(number);
}

TEST(Reduce, CombinesTheResultsOfAnAccessor) {
  const auto record = symmetric<Record>();
  on_all_cores([record] { record->length = mycore() + 1; });
  const int64_t lengths = sum_of_numbers() + cores();
  EXPECT_EQ(lengths, (reduce<int64_t, Record, collective_add, length_of>(record)));
  EXPECT_EQ(lengths, (reduce<int64_t, Record, collective_add, slow_length_of>(record)))
      << "the accessor may suspend";
  global_free(record);
}

TEST(Reduce, MayBeCalledByManyTasksAtATime) {
  on_all_cores([] {
    count = 1;
    other_count = 1000;
  });
  on_all_cores([] {
    forall_here(0, 40, [](int64_t k) {
      const bool first = k % 2 == 0;
      const int64_t* const object = first ? &count : &other_count;
      EXPECT_EQ((first ? 1 : 1000) * cores(), (reduce<int64_t, collective_add>(object)));
      EXPECT_EQ(first ? 1 : 1000, (reduce<int64_t, collective_max>(object)));
    });
  });
}

struct Peak {
  int32_t height, core, count;
};
Peak peak;  // each core has its own instance
Peak higher(const Peak& a, const Peak& b) {
  const Peak& top = b.height > a.height ? b : a;
  return {top.height, top.core, a.count + b.count};
}

TEST(Reduce, CombinesStructs) {
  on_all_cores([] { peak = {100 - (mycore() - 1) * (mycore() - 1), mycore(), 1}; });
  const Peak highest = reduce<Peak, higher>(&peak);
  EXPECT_EQ(cores() == 1 ? 99 : 100, highest.height);
  EXPECT_EQ(cores() == 1 ? 0 : 1, highest.core);
  EXPECT_EQ(cores(), highest.count);
}

TEST(SumAllCores, TakesBodiesThatCaptureAndSuspend) {
  int64_t captured = 7;
  EXPECT_EQ(7 * cores(), sum_all_cores([captured] {
              yield();
              return captured;
            }));
}

}  // namespace
