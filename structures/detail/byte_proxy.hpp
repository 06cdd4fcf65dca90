#pragma once

/// The operations of one core's tasks on a set or map with keys or values of variable length.
///
/// An operation is a function that runs at the owner of a key, on the part of the structure there,
/// with bytes as arguments and as answer. A proxy sends the operations of its tasks to each owner
/// in one message. All callers wait, so a commit may execute the operations in any order. The
/// answers of a batch are in one message, too, so they are in the memory of both cores at once, up
/// to three times at the caller. A proxy has a target for each core, so the cost of a commit grows
/// with the number of cores.
///
///     request: | function, hash, bytes of key, bytes of arguments | key | arguments | next ...
///     answer:  | bytes, answer | next ...

#include "structures/detail/byte_table.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/ids.hpp"
#include "system/base/view.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

/// Appends its answer to `*answer`. Must not suspend. The function has the same address on all
/// cores.
typedef void (*ByteOperation)(void* structure, const HashedKey& key, View<char> arguments,
                              std::string* answer);

/// The time at the owner, charged in simulations; not measured.
constexpr uint64_t kByteOperationNs = 60;

class ByteProxy : public FCProxy {
 public:
  explicit ByteProxy(void* structure);  // has the same address on all cores

  /// Performs the operation on core `owner`, which must be another core, and returns the answer.
  /// Suspends: until done.
  std::string perform(Core owner, ByteOperation operation, const HashedKey& key,
                      View<char> arguments);

  void sync() override;
  bool is_full() const override { return FCProxy::is_full() || bytes_ >= kMostBytes; }

 private:
  enum : size_t { kMostBytes = size_t{1} << 20 };  // not measured

  struct Target {
    std::string request;
    std::vector<std::string*> answers;  // of the waiting callers, in the order of the requests
  };

  void take_answers(Core owner, View<char> answers);

  void* const structure_;
  std::vector<Target> targets_;  // by owner
  std::vector<Core> owners_;     // with requests, in the order of their first requests
  size_t bytes_ = 0;             // of all requests
};

}}  // namespace Grappa::detail
