/// Payloads and answers that cannot be sent.

#include "system/global/payload.hpp"
#include "system/parallel/gather.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

std::string text = "text";
std::vector<StringView> views;
std::map<int, int> map;

struct Large {
  char bytes[8193];
};

struct NoDefault {
  explicit NoDefault(int) {}
};

}  // namespace

void calls() {
#ifndef CASE
  delegate::call(1, payload(text, 2), [](StringView view, int) { return view.copy(); });
  gather([] { return std::vector<char>(); });
#endif

#ifdef VIEW_RETURNED  // a delegate must not return a View
  delegate::call(1, payload(text), [](StringView view) { return view; });
#endif
#ifdef VIEW_RETURNED_WITHOUT_PAYLOAD  // a delegate must not return a View
  delegate::call(1, [] { return StringView(text); });
#endif
#ifdef PAIR_WITH_VIEW_RETURNED  // a delegate must not return a View
  delegate::call(1, payload(text), [](StringView view) { return std::make_pair(view, 1); });
#endif
#ifdef VIEWS_RETURNED  // a delegate must not return views
  delegate::call(1, payload(text), [](StringView view) { return std::vector<StringView>{view}; });
#endif
#ifdef MAP_RETURNED  // must be trivially copyable or have a Serialize
  delegate::call(1, payload(text), [](StringView) { return map; });
#endif
#ifdef REFERENCE_RETURNED  // must return a value
  delegate::call(1, payload(), []() -> std::string& { return text; });
#endif
#ifdef VIEWS_PASSED  // a container of views cannot be an argument of payload()
  payload(views);
#endif
#ifdef PAIR_WITH_VIEW_PASSED  // a container of views cannot be an argument of payload()
  payload(std::make_pair(StringView(text), 1));
#endif
#ifdef MAP_PASSED  // this type cannot be an argument of payload()
  payload(map);
#endif
#ifdef POINTER_PASSED  // a pointer is not valid on another core
  payload(&map);
#endif
#ifdef LARGE_VALUE_PASSED  // use a std::vector
  payload(Large());
#endif
#ifdef OTHER_ARGUMENTS  // must take each argument of payload()
  delegate::call(1, payload(text), [](int) {});
#endif
#ifdef VIEW_GATHERED  // a container of views cannot be an argument of payload()
  gather([] { return StringView(text); });
#endif
#ifdef NO_DEFAULT_GATHERED  // must return a value that has a default constructor
  gather([] { return NoDefault(1); });
#endif
}
