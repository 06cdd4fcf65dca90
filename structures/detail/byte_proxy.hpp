#pragma once

/// Combines the blocking operations of one core's tasks on a set or map with keys or values of
/// variable length.
///
/// An operation is a function that runs at the owner of a key, on the part of the structure there,
/// with bytes as arguments and as answer. As in TableProxy (table_proxy.hpp), equal operations on
/// one key are merged, each owner gets one message, and if there are several locales, the requests
/// for other locales are sent to gatherers, which merge them in a second proxy. All callers wait,
/// so a commit may execute the operations in any order. The answers of a batch are in one message,
/// too, so at one time they are in the memory of the owner, of a gatherer, and twice of the caller.
///
///     request: | operation, hash, bytes of key, bytes of arguments | key | arguments | next ...
///     answer:  | bytes, answer | next ...

#include "structures/detail/byte_table.hpp"
#include "structures/detail/hash_bytes.hpp"
#include "structures/detail/key_batch.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/ids.hpp"
#include "system/base/view.hpp"
#include "system/global/payload.hpp"
#include "system/message/serialize.hpp"
#include "system/sync/completion_event.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// Appends its answer to `*answer`. Must not suspend. The function has the same address on all
/// cores.
typedef void (*ByteOperation)(void* structure, const HashedKey& key, View<char> arguments,
                              std::string* answer);

/// An operation, and how equal ones on one key are merged.
struct MergedOperation {
  typedef void (*Merge)(std::string* arguments, View<char> later);

  ByteOperation apply;
  /// Changes the arguments to those of one operation that has the effect of both. Must not suspend.
  /// If it is null, the arguments of the first operation have the effect of all.
  Merge merge;
  /// The number of bytes at the start of the arguments that must be equal in merged operations.
  size_t equal_bytes;
  /// If true, all merged operations have the answer of the owner. Otherwise only the first of them
  /// has, and the answer of the others is "0".
  bool is_read;
};

// Base classes of operations. A derived class has `apply`, and hides the members that differ.
struct ReadOperation {
  static constexpr MergedOperation::Merge merge() { return nullptr; }
  enum : size_t { kEqualBytes = 0 };
  enum : bool { kIsRead = true };
};
struct WriteOperation : ReadOperation {
  enum : bool { kIsRead = false };
};

/// The only object of an operation. It has the same address on all cores.
template <class Operation>
struct MergedAs {
  static const MergedOperation value;
};
template <class Operation>
const MergedOperation MergedAs<Operation>::value = {&Operation::apply, Operation::merge(),
                                                    Operation::kEqualBytes, Operation::kIsRead};

/// The time at the owner, charged in simulations; not measured.
constexpr uint64_t kByteOperationNs = 60;

/// The answers of a batch. Unlike those of a string, their length has no limit.
struct Answers {
  std::string bytes;
};

}  // namespace detail

template <>
struct Serialize<detail::Answers> {
  static size_t size(const detail::Answers& answers) { return answers.bytes.size(); }
  static void write(Writer* to, const detail::Answers& answers) {
    to->bytes(answers.bytes.data(), answers.bytes.size());
  }
  static detail::Answers read(Reader* from) {
    const size_t bytes = from->left();
    return {std::string(from->bytes(bytes), bytes)};
  }
};

namespace detail {

class ByteProxy : public FCProxy {
  struct Requests;

 public:
  typedef SpareMemory<Requests> Spare;

  /// `structure` and its `table` have the same addresses on all cores, and so has `gatherer`, which
  /// is null in the proxies of a gatherer, and if requests are not gathered. A proxy with
  /// `most_requests` different requests is full, or earlier (is_full()).
  ByteProxy(void* structure, const ByteTable* table, const Spare& spare, size_t most_requests,
            FlatCombiner<ByteProxy>* gatherer);
  ~ByteProxy() override;

  /// Performs the operation on core `owner`, which must be another core, and returns the answer.
  /// Suspends: until done.
  std::string perform(Core owner, const MergedOperation* operation, const HashedKey& key,
                      View<char> arguments);

  void sync() override;
  bool is_full() const override;

 private:
  enum : size_t { kMostBytes = size_t{1} << 20 };  // not measured

  struct Neighbour {
    ByteProxy* proxy;
    size_t target;  // of the requests, in its proxy
    Core core;
    size_t requests;
  };
  struct Merged {
    size_t request;
    bool is_first;
    bool is_read;
  };
  struct Execute;
  struct Call {
    size_t target;
    Future<Answers> answers;
  };
  struct Request {
    Core owner;
    size_t begin;       // in Requests::bytes
    size_t end;         // of its first arguments
    size_t merged;      // a number of Requests::merged plus 1, or 0
    View<char> answer;  // in Requests::answers
  };
  struct Requests {
    KeyBatch<Request> each;
    std::string bytes;
    std::vector<std::string> merged;  // arguments of merged operations
    std::list<std::string> answers;   // of all targets
    // In the proxies of a gatherer:
    std::vector<Neighbour> neighbours;  // whose requests were merged
    std::vector<Merged> gathered;       // requests of each neighbour
    // Memory of sync():
    std::vector<Call> calls;
    std::string batch;
    std::vector<Core> owners;
    std::vector<Core> far_cores;  // in other locales, with requests
    void clear();
  };

  Merged merge(Core owner, const MergedOperation* operation, const HashedKey& key,
               View<char> arguments);
  View<char> answer_of(const Merged& merged);
  View<char> batch_for(size_t target);
  /// Merges the requests of a neighbour on keys of the cores `owners`. Must not suspend.
  void gather(const Neighbour& neighbour, View<Core> owners, View<char> batch);
  void send(size_t target);
  void take_answers(size_t target, std::string&& answers);
  void answer_neighbours();

  void* const structure_;
  const ByteTable* const table_;
  Spare spare_;
  const size_t most_requests_;
  FlatCombiner<ByteProxy>* const gatherer_;
  const Targets targets_;
  Requests requests_;
  size_t merged_bytes_ = 0;
  CompletionEvent answered_;  // by gatherers
};

}  // namespace detail
}  // namespace Grappa
