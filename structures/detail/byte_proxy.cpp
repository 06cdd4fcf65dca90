#include "structures/detail/byte_proxy.hpp"

#include "structures/combining.hpp"
#include "structures/detail/element_store.hpp"
#include "structures/detail/key_form.hpp"
#include "system/base/check.hpp"
#include "system/global/payload.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"

#include <cstring>

namespace Grappa::detail {
namespace {

struct RequestHeader {
  ByteOperation operation;
  uint64_t hash;
  uint64_t key_bytes : 24;
  uint64_t argument_bytes : 40;  // a value of up to 4,294,967,295 bytes and an operation
};
static_assert(kMaxKeyBytes < size_t{1} << 24, "the length of a key fits into a RequestHeader");

constexpr uint64_t kByteRequestNs = 60;  // charged in simulations; not measured

/// Executes the requests of a payload, and returns their answers.
struct Execute {
  void* structure;
  std::string operator()(View<char> requests) const {
    const MustNotSuspend until_return;
    std::string answers;
    for (const char* at = requests.begin(); at != requests.end();) {
      RequestHeader header;
      std::memcpy(&header, at, sizeof header);
      const View<char> key(at + sizeof header, header.key_bytes);
      const View<char> arguments(key.end(), header.argument_bytes);
      const size_t place = answers.size();
      answers.append(sizeof(uint64_t), 0);
      header.operation(structure, HashedKey(key, header.hash), arguments, &answers);
      const uint64_t length = answers.size() - place - sizeof(uint64_t);
      std::memcpy(&answers[place], &length, sizeof length);
      at = arguments.end();
      charge_ns(kByteOperationNs);
    }
    return answers;
  }
};

}  // namespace

ByteProxy::ByteProxy(void* structure)
    : structure_(structure), targets_(static_cast<size_t>(cores())) {}

std::string ByteProxy::perform(Core owner, ByteOperation operation, const HashedKey& key,
                               View<char> arguments) {
  GRAPPA_DCHECK(owner != mycore()) << "a request to this core";
  GRAPPA_CHECK(arguments.size() < uint64_t{1} << 40)
      << "a value of " << arguments.size()
      << " bytes: values of a global map have at most 4294967295";
  Target& target = targets_[static_cast<size_t>(owner)];
  if (target.answers.empty()) owners_.push_back(owner);
  RequestHeader header = {operation, key.hash, 0, 0};
  header.key_bytes = key.bytes.size() & 0xffffff;
  header.argument_bytes = arguments.size() & 0xffffffffff;
  target.request.append(reinterpret_cast<const char*>(&header), sizeof header);
  target.request.append(key.bytes.data(), key.bytes.size());
  target.request.append(arguments.data(), arguments.size());
  bytes_ += sizeof header + key.bytes.size() + arguments.size();
  std::string answer;
  target.answers.push_back(&answer);
  wait();
  return answer;
}

void ByteProxy::sync() {
  std::vector<Future<std::string>> answers;
  answers.reserve(owners_.size());
  for (const Core owner : owners_) {
    ++structure_counters::owner_messages;
    const std::string& request = targets_[static_cast<size_t>(owner)].request;
    answers.push_back(
        delegate::call_future(owner, payload(request), unchecked(Execute{structure_})));
  }
  charge_ns(waiting_requests() * kByteRequestNs);
  for (size_t k = 0; k < owners_.size(); ++k) take_answers(owners_[k], answers[k].get());
}

void ByteProxy::take_answers(Core owner, View<char> answers) {
  const char* at = answers.data();
  for (std::string* const place : targets_[static_cast<size_t>(owner)].answers) {
    uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    place->assign(at + sizeof bytes, bytes);
    at += sizeof bytes + bytes;
  }
}

}  // namespace Grappa::detail
