#include "system/runtime/report.hpp"

#include "system/net/mpi_world.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

namespace Grappa {

namespace {

/// One value from those of all cores, which lie `stride` apart.
uint64_t total(const Counter& counter, const uint64_t* values, size_t stride) {
  uint64_t result = 0;
  for (int core = 0; core < cores(); ++core) {
    const uint64_t value = values[static_cast<size_t>(core) * stride];
    result = counter.total() == Counter::Total::Max ? std::max(result, value) : result + value;
  }
  return result;
}

}  // namespace

std::string counters_report() {
  std::vector<const Counter*> counters;
  for (const Counter* c = Counter::first(); c != nullptr; c = c->next()) counters.push_back(c);
  std::vector<uint64_t> values;
  for (const Counter* c : counters) values.push_back(c->value());
  const std::vector<char> all = mpi_all_gather(values.data(), values.size() * sizeof(uint64_t));
  const uint64_t* of_all = reinterpret_cast<const uint64_t*>(all.data());
  for (size_t k = 0; k < values.size(); ++k)
    values[k] = total(*counters[k], of_all + k, values.size());
  std::vector<size_t> order;
  for (size_t k = 0; k < counters.size(); ++k) {
    if (values[k] != 0) order.push_back(k);
  }
  std::sort(order.begin(), order.end(), [&counters](size_t a, size_t b) {
    return std::strcmp(counters[a]->name(), counters[b]->name()) < 0;
  });
  std::string text;
  for (const size_t k : order) {
    char line[256];
    std::snprintf(line, sizeof line, "%-32s %14llu %-10s %s\n", counters[k]->name(),
                  static_cast<unsigned long long>(values[k]), counters[k]->unit(),
                  counters[k]->meaning());
    text += line;
  }
  return text;
}

}  // namespace Grappa
