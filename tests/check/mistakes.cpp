/// Closures with illegal captures. Each --mistake calls the function of the same name. In checked
/// mode, the report contains the closure's type and thus the name of that function. --list prints
/// the names.

#include "tests/check/mistakes.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <sys/mman.h>

DEFINE_string(mistake, "", "the mistake to make");
DEFINE_bool(list, false, "print the names of all mistakes");

namespace {

using namespace Grappa;

void captures_reference() {
  int64_t sum = 0;
  delegate::call(other(), [&sum] { ++sum; });
}

void captures_reference_behind_value() {
  int64_t sum = 0;
  const int64_t one = mycore() + 1;
  delegate::call(other(), [one, &sum] { sum += one; });
}

void captures_reference_behind_small_value() {
  int64_t sum = 0;
  const char letter = static_cast<char>('a' + mycore());
  delegate::call(other(), [letter, &sum] { sum += letter; });
}

void captures_all_by_reference() {
  int64_t sum = 0, one = 1;
  delegate::call(other(), [&] { sum += one; });
}

struct Counting {
  int64_t sum = 0;
  void captures_this() {
    delegate::call(other(), [this] { ++sum; });
  }
};
void captures_this() { Counting().captures_this(); }

void captures_this_on_heap() {
  struct OnHeap {
    int64_t sum = 0;
    void captures_this_on_heap() {
      delegate::call(other(), [this] { ++sum; });
    }
  };
  std::unique_ptr<OnHeap>(new OnHeap)->captures_this_on_heap();
}

void captures_stack_pointer() {
  int64_t words[100] = {0};
  int64_t* const first = words;
  delegate::call(other(), [first] { ++first[0]; });
}

void captures_pointer_behind_array() {
  int64_t words[100] = {0};
  int64_t* const behind = words + 99;
  delegate::call(other(), [behind] { ++*behind; });
}

void captures_heap_pointer() {
  std::unique_ptr<int64_t> word(new int64_t(0));
  int64_t* const place = word.get();
  delegate::call(other(), [place] { ++*place; });
}

void captures_large_heap_pointer() {
  std::vector<char> bytes(10 * 1024 * 1024);
  char* const place = bytes.data() + 5000000;
  delegate::call(other(), [place] { ++*place; });
}

void captures_iterator() {
  std::vector<int64_t> words(100);
  const auto first = words.begin();
  delegate::call(other(), [first] { ++*first; });
}

void captures_c_str() {
  const std::string name(50, 'x');
  const char* const text = name.c_str();
  delegate::call(other(), [text] { return static_cast<int64_t>(text[0]); });
}

void captures_short_c_str() {
  const std::string name = "x";
  const char* const text = name.c_str();
  delegate::call(other(), [text] { return static_cast<int64_t>(text[0]); });
}

struct Inner {
  int64_t number;
  int64_t* place;
};
struct Outer {
  double weight;
  Inner inner[2];
};

void captures_nested_struct() {
  int64_t sum = 0;
  const Outer outer = {1, {{2, nullptr}, {3, &sum}}};
  delegate::call(other(), [outer] { *outer.inner[1].place = outer.inner[1].number; });
}

void captures_pointer_last_in_large_closure() {
  int64_t sum = 0;
  struct Large {
    int64_t words[40];
    int64_t* place;
  } large = {{0}, &sum};
  delegate::call(other(), [large] { *large.place = large.words[0]; });
}

void captures_in_function_object() {
  struct captures_in_function_object {
    int64_t* place;
    void operator()() const { ++*place; }
  };
  int64_t sum = 0;
  delegate::call(other(), captures_in_function_object{&sum});
}

/// Maps a page that only core 0 has at this address.
int64_t* mapped_here() {
  void* const address = reinterpret_cast<void*>(uintptr_t{0x123400000000});
  void* const page = ::mmap(address, 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK(page == address);
  return static_cast<int64_t*>(page);
}

void captures_mapped_pointer() {
  int64_t* const place = mapped_here();
  delegate::call(other(), [place] { ++*place; });
}

void captures_mapped_pointer_for_tasks() {
  int64_t* const place = mapped_here();
  on_all_cores([place] { ++*place; });
}

int64_t* on_stack_of_main = nullptr;
void captures_stack_of_main() {
  int64_t* const place = on_stack_of_main;
  delegate::call(other(), [place] { ++*place; });
}

void captures_stack_of_other_task() {
  static int64_t* place = nullptr;
  CompletionEvent ready(1);
  CompletionEvent done(1);
  CompletionEvent* const is_ready = &ready;
  CompletionEvent* const is_done = &done;
  spawn([is_ready, is_done] {
    int64_t sum = 0;
    place = &sum;
    is_ready->complete();
    is_done->wait();
    place = nullptr;
  });
  ready.wait();
  int64_t* const its = place;
  delegate::call(other(), [its] { ++*its; });
  done.complete();
}

void captures_stack_of_task_that_yields() {
  static int64_t* place = nullptr;
  static bool ended = false;
  spawn([] {
    int64_t sum = 0;
    place = &sum;
    while (!ended) yield();
    place = nullptr;
  });
  while (place == nullptr) yield();
  int64_t* const its = place;
  delegate::call(other(), [its] { ++*its; });
  ended = true;
}

}  // namespace

const std::vector<Mistake> kinds_of_captures = {
    MISTAKE(captures_reference),
    MISTAKE(captures_reference_behind_value),
    MISTAKE(captures_reference_behind_small_value),
    MISTAKE(captures_all_by_reference),
    MISTAKE(captures_this),
    MISTAKE(captures_this_on_heap),
    MISTAKE(captures_stack_pointer),
    MISTAKE(captures_pointer_behind_array),
    MISTAKE(captures_heap_pointer),
    MISTAKE(captures_large_heap_pointer),
    MISTAKE(captures_iterator),
    MISTAKE(captures_c_str),
    MISTAKE(captures_short_c_str),
    MISTAKE(captures_nested_struct),
    MISTAKE(captures_pointer_last_in_large_closure),
    MISTAKE(captures_in_function_object),
    MISTAKE(captures_mapped_pointer),
    MISTAKE(captures_mapped_pointer_for_tasks),
    MISTAKE(captures_stack_of_main),
    MISTAKE(captures_stack_of_other_task),
    MISTAKE(captures_stack_of_task_that_yields),
};

int main(int argc, char* argv[]) {
  int64_t on_stack = 0;
  on_stack_of_main = &on_stack;
  init(&argc, &argv);
  run([] {
    for (const std::vector<Mistake>& mistakes : {kinds_of_captures, ways_to_pass}) {
      for (const Mistake& mistake : mistakes) {
        if (FLAGS_list) std::puts(mistake.name);
        if (FLAGS_mistake == mistake.name) mistake.make();
      }
    }
  });
  return finalize();
}
