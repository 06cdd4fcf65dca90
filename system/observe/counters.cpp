#include "system/observe/counters.hpp"

namespace Grappa {
namespace {

Counter* all_counters = nullptr;

}  // namespace

Counter::Counter(const char* name, const char* unit, const char* meaning, Total total)
    : name_(name), unit_(unit), meaning_(meaning), total_(total), next_(all_counters) {
  all_counters = this;
}

Counter* Counter::first() { return all_counters; }

}  // namespace Grappa
