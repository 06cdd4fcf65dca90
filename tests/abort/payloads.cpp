/// Invalid uses of payloads and of structures with entries of variable length, which must abort the
/// job with a report. Each --way is one case, which runs in a task on the last core.

#include "structures/global_map.hpp"
#include "structures/global_multi_map.hpp"
#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include <string>
#include <vector>

DEFINE_string(way, "", "how to fail");

namespace {

struct Reading {
  double value;
  std::string unit;
};

struct Bytes {
  char at[20000];
};

}  // namespace

/// read() leaves 8 bytes, which must not be taken for those of the next value.
template <>
struct Grappa::Serialize<Reading> {
  static size_t size(const Reading&) { return 16; }
  static void write(Writer* to, const Reading& reading) {
    to->values(reading.value, reading.value);
  }
  static Reading read(Reader* from) { return Reading{from->value<double>(), ""}; }
};

namespace {

using namespace Grappa;

Core next_core() { return static_cast<Core>((mycore() + 1) % cores()); }

/// Calls a body that suspends, with a view of a text.
void suspend_with_view_of(size_t bytes) {
  delegate::call(next_core(), payload(std::string(bytes, 'x')), [](StringView text) {
    yield();
    delegate::call(next_core(), [] { sleep_for(0); });
    return text.size();
  });
}

void break_rules(const std::string& way) {
  if (way == "view_of_payload") suspend_with_view_of(10);
  if (way == "view_of_large_payload") suspend_with_view_of(300000);
  if (way == "view_in_async_call") {
    finish([] { delegate::call<async>(next_core(), payload("x"), [](StringView) { yield(); }); });
  }
  if (way == "serialize_before_text") {
    delegate::call(next_core(), payload(Reading{1.5, ""}, "text"),
                   [](const Reading&, const std::string& text) { return text.size(); });
  }
  if (way == "answer_too_large") {
    delegate::call(next_core(), payload("x"), [](StringView) { return Bytes(); });
  }
  if (way == "long_key") GlobalSet<std::string>::create()->insert(std::string(1048577, 'k'));
  const std::string long_key(1048577, 'k');
  if (way == "long_key_of_update") {
    GlobalMap<std::string, int64_t>::create()->update<async>(long_key, [](int64_t& n) { ++n; });
  }
  if (way == "long_key_of_list") {
    GlobalMultiMap<std::string, int64_t>::create()->insert(long_key, 1);
  }
  if (way == "value_left_unread") {
    const auto readings = GlobalMap<std::string, Reading>::create();
    readings->insert("key", Reading{1.5, "x"});
    Reading reading;
    readings->lookup("key", &reading);
  }
  if (way == "long_key_of_sum") {
    const std::vector<int32_t> key(262145);
    GlobalMap<std::vector<int32_t>, int64_t>::create()->insert_or_combine<async>(key, 1);
  }
  const auto numbers = GlobalMap<int64_t, int64_t>::create();
  for (int64_t key = 0; key < 4; ++key) {
    if (way == "update_of_number_suspends") numbers->update(key, [](int64_t&) { yield(); });
    if (way == "visit_of_number_suspends") {
      numbers->insert(key, 1);
      numbers->visit(key, payload("x"), [](int64_t&, const std::string&) { yield(); });
    }
  }
  const auto set = GlobalSet<std::string>::create();
  const auto lists = GlobalMultiMap<std::string, int64_t>::create();
  const auto map = GlobalMap<std::string, int64_t>::create();
  for (const char* key : {"a", "b", "c", "d"}) {
    if (way == "update_suspends") map->update(key, [](int64_t&) { yield(); });
    if (way == "visit_suspends") {
      map->insert(key, 1);
      map->visit(key, [](int64_t&) { yield(); });
    }
    if (way == "async_update_suspends") {
      finish([map, key] {
        map->update<async>(key, payload("x"), [](int64_t&, const std::string&) { yield(); });
      });
    }
    if (way == "update_of_list_suspends") {
      lists->update(key, [](std::vector<int64_t>&) { yield(); });
    }
    if (way == "insert_suspends") {
      finish([set, key] { set->insert<async>(key, [](StringView) { yield(); }); });
    }
    if (way == "update_changes_its_map") {
      const char first = key[0];
      map->update(key, [map, first](int64_t&) { map->erase(std::string(1, first)); });
    }
    set->insert(key);
  }
  if (way == "loop_suspends") set->forall_keys([](StringView) { yield(); });
  if (way == "filter_suspends") {
    set->filter([](StringView) {
      yield();
      return true;
    });
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    delegate::call(cores() - 1, [] { spawn([] { break_rules(FLAGS_way); }); });
    for (;;) yield();
  });
  return finalize();
}
