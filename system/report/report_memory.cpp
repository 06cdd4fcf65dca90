/// The sections of the report whose size depends on the number of cores: messages between locales,
/// and memory.

#include "system/report/report_table.hpp"

namespace Grappa::detail {
namespace {

constexpr size_t kLocalesShown = 4;  // as tables

}  // namespace

/// What locales have sent to each other, in buffers.
void ReportTable::add_locales() {
  section = "locales";
  Json pairs = Json::array();
  for (const LocalePair& pair : job.pairs) {
    pairs.push_back({pair.from, pair.to, pair.buffers, pair.bytes});
  }
  field("pairs", pairs);
  if (job.locales == 1 || job.pairs.empty()) return;
  if (job.locales <= kLocalesShown) {
    add_matrix("buffers", &LocalePair::buffers, readable_count);
    add_matrix("bytes", &LocalePair::bytes, readable_bytes);
    return;
  }
  uint64_t buffers = 0, sent = 0;
  const LocalePair* largest = &job.pairs[0];
  for (const LocalePair& pair : job.pairs) {
    buffers += pair.buffers;
    sent += pair.bytes;
    if (pair.bytes > largest->bytes) largest = &pair;
  }
  const uint64_t all = job.locales * job.locales;
  line("pairs", count(job.pairs.size()), "with buffers, of " + count(all));
  line("  mean", readable_bytes(quotient(sent, all)),
       "in " + readable_mean(quotient(buffers, all)) + " buffers");
  line("  largest", bytes(largest->bytes),
       "in " + count(largest->buffers) + " buffers, from locale " + std::to_string(largest->from) +
           " to " + std::to_string(largest->to));
}

void ReportTable::add_matrix(const std::string& unit, uint64_t LocalePair::*member,
                             std::string (*text)(double)) {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> from(job.locales);
  for (size_t k = 0; k < job.locales; ++k) {
    head.push_back("to " + std::to_string(k));
    from[k].assign(job.locales, "0");
  }
  for (const LocalePair& pair : job.pairs) {
    from[size_t(pair.from)][size_t(pair.to)] = text(static_cast<double>(pair.*member));
  }
  cells(unit, head);
  for (size_t k = 0; k < job.locales; ++k) cells("  from " + std::to_string(k), from[k]);
}

void ReportTable::add_memory() {
  section = "memory";
  const uint64_t most = of_all("global.heap_high_water");
  const uint64_t at_end = of_all("global.heap_bytes");
  const uint64_t resident = of_all("global.heap_resident");
  const uint64_t reserved = of_all("global.heap_reserved");
  row("heap_bytes_most", most, "global heap", bytes(most),
      "at most, of " + bytes(reserved) + " reserved");
  field("heap_bytes", at_end);
  if (most != 0) {
    line("  at the end", bytes(at_end), "allocated, " + bytes(resident) + " in memory");
  }
  field("heap_bytes_resident", resident);
  field("heap_bytes_reserved", reserved);
  const auto processes = [this](const char* name, const OfCores& of_cores, const char* label) {
    const CoreSpread spread = spread_of(of_cores);
    field(name, of_cores);
    line(label, readable_bytes(spread.max), beside_the_most(spread, readable_bytes));
  };
  processes("resident_bytes_by_core", of_cores("runtime.resident"), "processes");
  processes("resident_bytes_most_by_core", of_cores("runtime.resident_most"), "  at their peak");
  field("stack_bytes", of_all("tasking.stack_resident"));
  const OfCores own = of_cores("runtime.own_memory");
  OfCores rest = own, malloc = of_cores("runtime.malloc");
  processes("own_bytes_by_core", own, "of a core");
  const auto part = [&](const char* name, const OfCores& of_cores, const char* label) {
    processes(name, of_cores, label);
    for (size_t k = 0; k < rest.size(); ++k) rest[k] -= std::min(rest[k], of_cores[k]);
  };
  part("stack_bytes_by_core", of_cores("tasking.stack_resident"), "  stacks");
  part("buffer_bytes_by_core", of_cores("net.buffer_resident"), "  buffers");
  part("table_bytes_by_core", of_cores("message.table_resident"), "  tables");
  part("heap_bytes_resident_by_core", of_cores("global.heap_resident"), "  global heap");
  const OfCores tables = of_cores("message.table_bytes");
  for (size_t k = 0; k < malloc.size(); ++k) malloc[k] -= std::min(malloc[k], tables[k]);
  part("malloc_bytes_by_core", malloc, "  malloc");
  processes("rest_bytes_by_core", rest, "  rest");
  const uint64_t used = of_all("net.buffer_bytes_used");
  const uint64_t limit = of_all("net.buffer_bytes");
  field("buffer_bytes_used_by_a_core", used);
  line("message buffers", bytes(used), "used by a core at most, of " + bytes(limit));
  field("buffer_bytes_of_a_core", limit);
}

}  // namespace Grappa::detail
