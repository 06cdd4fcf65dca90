/// Programs that must end badly, and say why. One case for each --way; tests/CMakeLists.txt holds
/// what each must say and the status it must end with. The core that fails is the last one.

#include <Grappa.hpp>
#include <stdexcept>
#include <string>

DEFINE_string(way, "", "how to end");

namespace {

using namespace Grappa;

GlobalCompletionEvent event;

int deep(volatile char* above, int depth) {
  volatile char here[1000];
  for (volatile char& byte : here) byte = above == nullptr ? 1 : above[0];
  return depth == 0 ? here[0] : deep(here, depth - 1) + here[0];
}

void fail(const std::string& way) {
  if (way == "input_error") input_error("file.el:7: \"x\" is no vertex");
  if (way == "stack_overflow") deep(nullptr, 1000000);
  if (way == "handler_overflow") send_message(mycore(), [] { deep(nullptr, 1000000); });
  if (way == "packed_overflow") {
    CompletionEvent ended;
    spawn(&ended, [] {
      deep(nullptr, 40);  // beyond the end of its stack, into that of the task above, and back
      yield();
    });
    ended.wait();
  }
  if (way == "exception") throw std::runtime_error("of the user's own making");
  if (way == "check") GRAPPA_CHECK(1 + 1 == 3) << "arithmetic holds";
  if (way == "null") delegate::write(make_global(static_cast<int*>(nullptr), mycore()), 1);
  if (way == "double_free") {
    auto array = global_alloc<int64_t>(10);
    global_free(array);
    global_free(array);
  }
  if (way == "out_of_memory") global_alloc<int64_t>(size_t{1} << 50);
  if (way == "no_such_core") delegate::call(cores(), [] {});
  if (way == "payload_suspends")
    send_message(
        mycore(), [](void*, size_t) { yield(); }, "x", 1);
  if (way == "mutex_elsewhere") {
    ConditionVariable condition;
    Mutex mutex;
    wait(make_global(&condition), make_global(&mutex, static_cast<Core>(mycore() + 1)));
  }
  if (way == "event_completed_too_often") {
    event.enroll(2);
    event.complete(3);
  }
  if (way == "event_completed_elsewhere") {
    event.enroll();
    event.send_completion(static_cast<Core>((mycore() + 1) % cores()), 2);
  }
  if (way == "event_waits_for_itself") finish<&event>([] { spawn([] { event.wait(); }); });
  if (way == "event_on_a_stack") {
    GlobalCompletionEvent here;
    here.enroll();
  }
  if (way == "two_collectives") {
    spawn([] { barrier(); });
    barrier();
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  if (FLAGS_way == "range") input_error("flag --way: out of range");
  run([] {
    // A std::string does not travel.
    struct Way {
      char name[32];
    } way = {};
    FLAGS_way.copy(way.name, sizeof way.name - 1);
    finish([way] {
      delegate::call<async>(static_cast<Core>(cores() - 1),
                            [way] { spawn([way] { fail(way.name); }); });
    });
    CompletionEvent never(1);
    never.wait();  // the failure ends the job; the main task does not
  });
  return finalize();
}
