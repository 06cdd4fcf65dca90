#include "structures/detail/byte_proxy.hpp"

#include "structures/combining.hpp"
#include "structures/detail/element_store.hpp"
#include "structures/detail/key_form.hpp"
#include "system/base/check.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"

#include <cstring>
#include <utility>

namespace Grappa::detail {
namespace {

struct RequestHeader {
  const MergedOperation* operation;
  uint64_t hash;
  uint64_t key_bytes : 24;
  uint64_t argument_bytes : 40;  // values of 4 GiB or more are refused by the owner
};
static_assert(kMaxKeyBytes < size_t{1} << 24, "the length of a key fits into a RequestHeader");

constexpr size_t kKeysAhead = 16;           // prefetched; not measured
constexpr size_t kMostBytesKept = 1 << 18;  // by a proxy for later ones; not measured
constexpr uint64_t kByteRequestNs = 60;     // charged in simulations; not measured

/// A request in a batch.
struct ParsedRequest {
  const MergedOperation* operation;
  uint64_t hash;
  View<char> key;
  View<char> arguments;

  explicit ParsedRequest(const char* at) {
    RequestHeader header;
    std::memcpy(&header, at, sizeof header);
    operation = header.operation;
    hash = header.hash;
    key = View<char>(at + sizeof header, header.key_bytes);
    arguments = View<char>(key.end(), header.argument_bytes);
  }
  const char* end() const { return arguments.end(); }
};

void append_request(std::string* batch, const MergedOperation* operation, const HashedKey& key,
                    View<char> arguments) {
  RequestHeader header = {operation, key.hash, 0, 0};
  header.key_bytes = key.bytes.size() & 0xffffff;
  header.argument_bytes = arguments.size() & 0xffffffffff;
  batch->append(reinterpret_cast<const char*>(&header), sizeof header);
  batch->append(key.bytes.data(), key.bytes.size());
  batch->append(arguments.data(), arguments.size());
}

/// Appends an answer, which `write` appends to the string, to the answers of a batch.
template <class Write>
void append_answer(std::string* answers, const Write& write) {
  const size_t place = answers->size();
  answers->append(sizeof(uint64_t), 0);
  write(answers);
  const uint64_t length = answers->size() - place - sizeof(uint64_t);
  std::memcpy(&(*answers)[place], &length, sizeof length);
}

/// An exception of `merge` aborts the job, as at the owner.
void add_later(const MergedOperation& operation, std::string* arguments,
               View<char> later) noexcept {
  const MustNotSuspend until_return;
  operation.merge(arguments, later);
}

}  // namespace

/// Executes the requests of a batch at the owner, and returns their answers.
struct ByteProxy::Execute {
  void* structure;
  const ByteTable* table;
  Answers operator()(View<char> batch) const {
    const MustNotSuspend until_return;
    Answers answers;
    std::vector<ParsedRequest> requests;
    requests.reserve(kKeysAhead);
    for (const char* at = batch.begin(); at != batch.end();) {
      for (requests.clear(); requests.size() < kKeysAhead && at != batch.end();
           at = requests.back().end()) {
        requests.emplace_back(at);
        table->prefetch_slot(requests.back().hash);
      }
      for (const ParsedRequest& each : requests) table->prefetch_entry(each.hash);
      for (const ParsedRequest& each : requests) {
        append_answer(&answers.bytes, [this, &each](std::string* to) {
          each.operation->apply(structure, HashedKey(each.key, each.hash), each.arguments, to);
        });
        charge_ns(kByteOperationNs);
      }
    }
    return answers;
  }
};

void ByteProxy::Requests::clear() {
  each.clear();
  bytes.clear();
  merged.clear();
  if (bytes.capacity() + batch.capacity() > kMostBytesKept) {
    bytes = std::string();
    batch = std::string();
  }
  answers.clear();
  far_cores.clear();
  neighbours.clear();
  gathered.clear();
}

ByteProxy::ByteProxy(void* structure, const ByteTable* table, const Spare& spare,
                     size_t most_requests, FlatCombiner<ByteProxy>* gatherer)
    : structure_(structure),
      table_(table),
      spare_(spare),
      most_requests_(most_requests),
      gatherer_(gatherer),
      targets_(gatherer != nullptr),
      requests_(spare_.take()) {}

ByteProxy::~ByteProxy() {
  requests_.clear();
  spare_.give_back(std::move(requests_));
}

bool ByteProxy::is_full() const {  // waiting callers of merged requests also take memory
  return requests_.each.size() >= most_requests_ || waiting_requests() >= 64 * kProxyRequests ||
         requests_.bytes.size() + merged_bytes_ >= kMostBytes;
}

ByteProxy::Merged ByteProxy::merge(Core owner, const MergedOperation* operation,
                                   const HashedKey& key, View<char> arguments) {
  std::string& bytes = requests_.bytes;
  const View<char> equal(arguments.data(), operation->equal_bytes);
  const uint64_t hash = equal.empty() ? key.hash : key.hash ^ hash_bytes(equal);
  const size_t n = requests_.each.size();
  const size_t i = requests_.each.add(
      {owner, bytes.size(), 0, 0, View<char>()}, hash, [&](const Request& request) {
        const ParsedRequest other(&bytes[request.begin]);
        return other.operation == operation &&
               View<char>(other.arguments.data(), equal.size()) == equal && other.key == key.bytes;
      });
  Request& request = requests_.each[i];
  if (requests_.each.size() != n) {
    append_request(&bytes, operation, key, arguments);
    request.end = bytes.size();
    return {i, true, operation->is_read};
  }
  ++structure_counters::duplicates;
  if (operation->merge != nullptr) {
    if (request.merged == 0) {
      requests_.merged.push_back(ParsedRequest(&bytes[request.begin]).arguments.copy());
      request.merged = requests_.merged.size();
    }
    std::string& merged = requests_.merged[request.merged - 1];
    const size_t before = merged.size();
    add_later(*operation, &merged, arguments);
    merged_bytes_ += merged.size() - before;
  }
  return {i, false, operation->is_read};
}

View<char> ByteProxy::answer_of(const Merged& merged) {
  return merged.is_first || merged.is_read ? requests_.each[merged.request].answer
                                           : View<char>("0");
}

std::string ByteProxy::perform(Core owner, const MergedOperation* operation, const HashedKey& key,
                               View<char> arguments) {
  GRAPPA_DCHECK(owner != mycore()) << "a request to this core";
  const Merged merged = merge(owner, operation, key, arguments);
  wait();
  return answer_of(merged).copy();
}

void ByteProxy::gather(const Neighbour& neighbour, View<Core> owners, View<char> batch) {
  check_open();
  requests_.neighbours.push_back(neighbour);
  const Core* owner = owners.begin();
  for (const char* at = batch.begin(); at != batch.end(); ++owner) {
    const ParsedRequest each(at);
    requests_.gathered.push_back(
        merge(*owner, each.operation, HashedKey(each.key, each.hash), each.arguments));
    at = each.end();
  }
  complete_in_scope(0);  // its operations were counted on the neighbour
}

void ByteProxy::sync() {
  KeyBatch<Request>& all = requests_.each;
  charge_ns(all.size() * kByteRequestNs);
  all.deal(targets_, [](const Request& request, uint64_t) { return request.owner; });
  const size_t own = targets_.of_own_keys();
  for (size_t distance = 0; distance < targets_.count(); ++distance) {
    const size_t target = (own + distance) % targets_.count();  // cores start with different ones
    if (all.count(target) == 0) continue;
    send(target);
    const Core core = targets_.core(target);
    if (locale_of(core) == mylocale()) {
      flush_to(core, FlushCause::Asked);
    } else {
      requests_.far_cores.push_back(core);
    }
  }
  // With relays, owners in other locales share buffers.
  for (const Core core : requests_.far_cores) flush_to(core, FlushCause::Asked);
  for (Call& call : requests_.calls) take_answers(call.target, call.answers.get().bytes);
  requests_.calls.clear();
  answered_.wait(WaitReason(WaitReason::Kind::Transfer));
  answer_neighbours();
}

void ByteProxy::take_answers(size_t target, std::string&& answers) {
  requests_.answers.push_back(std::move(answers));
  const char* at = requests_.answers.back().data();
  requests_.each.for_target(target, [&at](Request& request) {
    uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    request.answer = View<char>(at + sizeof bytes, bytes);
    at = request.answer.end();
  });
}

void ByteProxy::answer_neighbours() {
  auto merged = requests_.gathered.begin();
  for (const Neighbour& neighbour : requests_.neighbours) {
    std::string answers;
    for (size_t n = 0; n < neighbour.requests; ++n) {
      const View<char> answer = answer_of(*merged++);
      append_answer(&answers,
                    [answer](std::string* to) { to->append(answer.data(), answer.size()); });
    }
    const Neighbour to = neighbour;
    send_payload(to.core, payload(answers), [to](View<char> its_answers) {
      to.proxy->take_answers(to.target, its_answers.copy());
      to.proxy->answered_.complete();
    });
    flush_to(to.core, FlushCause::Asked);
  }
}

// Returns the requests with this target, and sets Requests::owners.
View<char> ByteProxy::batch_for(size_t target) {
  const std::string& bytes = requests_.bytes;
  std::string& batch = requests_.batch;
  std::vector<Core>& owners = requests_.owners;
  owners.clear();
  size_t end = 0;
  bool in_sequence = true;
  requests_.each.for_target(target, [&](const Request& request) {
    owners.push_back(request.owner);
    in_sequence = in_sequence && request.begin == end && request.merged == 0;
    end = request.end;
  });
  if (in_sequence) return View<char>(bytes.data(), end);
  batch.clear();
  requests_.each.for_target(target, [&](const Request& request) {
    if (request.merged == 0) {
      batch.append(bytes, request.begin, request.end - request.begin);
    } else {
      const ParsedRequest first(&bytes[request.begin]);
      append_request(&batch, first.operation, HashedKey(first.key, first.hash),
                     requests_.merged[request.merged - 1]);
    }
  });
  return batch;
}

void ByteProxy::send(size_t target) {
  const View<char> batch = batch_for(target);
  const Core core = targets_.core(target);
  if (targets_.is_gatherer(target)) {
    ++structure_counters::gathered_batches;
    answered_.enroll();
    const Neighbour self = {this, target, mycore(), requests_.owners.size()};
    FlatCombiner<ByteProxy>* const gatherer = gatherer_;
    send_payload(core, payload(requests_.owners, batch),
                 [self, gatherer](View<Core> its_owners, View<char> its_batch) {
                   (*gatherer)->gather(self, its_owners, its_batch);
                 });
  } else {
    ++structure_counters::owner_messages;
    requests_.calls.push_back(
        {target,
         delegate::call_future(core, payload(batch), unchecked(Execute{structure_, table_}))});
  }
}

}  // namespace Grappa::detail
