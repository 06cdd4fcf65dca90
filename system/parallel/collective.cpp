#include "system/parallel/collective.hpp"

#include "system/base/check.hpp"

namespace Grappa {
namespace detail {

CollectiveState& collective_state() {
  static CollectiveState state;
  return state;
}

std::vector<char>* gather_contribution(uint64_t number, Core from, const void* value,
                                       size_t bytes) {
  CollectiveState::Gathering& gathering = collective_state().gatherings[number];
  const size_t all = bytes * static_cast<size_t>(cores());
  if (gathering.arrived == 0) gathering.values.resize(all);
  GRAPPA_CHECK(gathering.values.size() == all)
      << "core " << from << " takes part in a collective with a value of " << bytes
      << " bytes, another core with " << gathering.values.size() / static_cast<size_t>(cores())
      << ": every core must call the same collectives in the same order";
  std::memcpy(&gathering.values[static_cast<size_t>(from) * bytes], value, bytes);
  return ++gathering.arrived == cores() ? &gathering.values : nullptr;
}

void end_gathering(uint64_t number) { collective_state().gatherings.erase(number); }

void await_collective(CollectiveCall* call) {
  CollectiveState& state = collective_state();
  GRAPPA_CHECK(state.waiting == nullptr)
      << "two tasks of one core are in a collective at the same time";
  state.waiting = call;
  scheduler().suspend(WaitReason(WaitReason::Kind::Collective, call));
  state.waiting = nullptr;
}

}  // namespace detail

void barrier() { allreduce<int, collective_add<int>>(0); }

}  // namespace Grappa
