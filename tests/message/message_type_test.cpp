#include "system/message/send.hpp"

#include <gtest/gtest.h>
#include <set>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

struct Small {
  char bytes[3];
  void operator()() {}
};

struct Large {
  char bytes[3000];
  void operator()() {}
};

struct Body {
  int64_t number;
  void operator()(void*, size_t) {}
};

template <class F, Acknowledged A = Acknowledged::Never, MayWait W = MayWait::InTasks>
const MessageType& type_of() {
  return detail::TypeOf<F, A, W>::type;
}

TEST(MessageType, HasTheStrideOfItsClosure) {
  EXPECT_EQ(3, type_of<Small>().stride_bytes);
  EXPECT_EQ(3000, type_of<Large>().stride_bytes);
  EXPECT_EQ(0, detail::PayloadMessage<Body>::type.stride_bytes);
}

TEST(MessageType, IsInitialisedBeforeAnyConstructorMaySend) {
  // Initialisers at file scope may read this value, and the order of initialisers is unspecified.
  static const MessageType& type = type_of<Large, Acknowledged::ByRun>();
  EXPECT_EQ(&execute_run<Large>, type.handler);
  EXPECT_EQ(nullptr, type.runs);
  EXPECT_EQ(0u, type.cores) << "no core number is a valid index";
}

TEST(MessageType, IsUniquePerClosureAndWayOfSending) {
  const std::set<const MessageType*> types = {
      &type_of<Small>(),
      &type_of<Large>(),
      &type_of<Small, Acknowledged::ByRun>(),
      &type_of<Small, Acknowledged::ByAnswer>(),
      &type_of<Small, Acknowledged::Never, MayWait::Never>(),
      &detail::PayloadMessage<Body>::type,
      &detail::PayloadMessage<Body, Acknowledged::ByRun>::type,
      &detail::PayloadMessage<Body, Acknowledged::ByRun, MayWait::InTasks, 1>::type,
  };
  EXPECT_EQ(8u, types.size());
}

TEST(MessageType, ReportsWhetherItIsLatencyCritical) {
  for (const bool relayed : {false, true}) {
    EXPECT_FALSE(type_of<Small>().latency_critical(relayed));
    EXPECT_FALSE((type_of<Small, Acknowledged::ByRun>().latency_critical(relayed)));
    EXPECT_TRUE((type_of<Small, Acknowledged::ByAnswer>().latency_critical(relayed)));
    EXPECT_TRUE((type_of<Small, Acknowledged::Never, MayWait::Never>().latency_critical(relayed)));
    EXPECT_EQ(!relayed,
              (type_of<Small, Acknowledged::Never, MayWait::NeverButDeferrable>().latency_critical(
                  relayed)));
    EXPECT_FALSE(detail::PayloadMessage<Body>::type.latency_critical(relayed));
  }
}

TEST(OpenRun, HasNoSpaceWhileClosed) {
  const OpenRun closed;
  EXPECT_EQ(0u, closed.room());
  EXPECT_EQ(nullptr, closed.header);
}

TEST(PayloadMessage, AlignsClosureAndPayload) {
  typedef detail::PayloadMessage<Body> Message;
  EXPECT_EQ(16u, Message::prefix_bytes());
  EXPECT_EQ(16u, Message::size(0));
  EXPECT_EQ(32u, Message::size(1));
  EXPECT_EQ(32u, Message::size(16));
  EXPECT_EQ(48u, Message::size(17));
  EXPECT_EQ(0u, detail::PayloadMessage<Small>::prefix_bytes() % kRunAlignment);
}

TEST(PayloadMessage, OfUnalignedBytesHasOnlyItsLengthAsPrefix) {
  struct Empty {
    void operator()(void*, size_t) const {}
  };
  typedef detail::PayloadMessage<Empty, Acknowledged::ByRun, MayWait::InTasks, 1> Message;
  EXPECT_EQ(4u, Message::prefix_bytes());
  EXPECT_EQ(28u, Message::size(24)) << "messages in a run are aligned to their lengths";
  EXPECT_EQ(28u, Message::size(21));
}

}  // namespace
