/// Data of variable length: delegates with payloads, a type of the program, and a map of strings.

#include "structures/global_map.hpp"

#include <Grappa.hpp>

#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace Grappa;

struct Road {
  std::string name;
  std::vector<int32_t> lanes;
};

template <>
struct Grappa::Serialize<Road> {
  static size_t size(const Road& road) { return serialized_size(road.name, road.lanes); }
  static void write(Writer* to, const Road& road) { to->values(road.name, road.lanes); }
  static Road read(Reader* from) {
    Road road;
    from->values(&road.name, &road.lanes);
    return road;
  }
};

// Each core has its own roads.
std::vector<Road> roads;
size_t letters = 0;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const Core last = static_cast<Core>(cores() - 1);
    // The body reads the text in the message. The call returns the answer, a string.
    const std::string text = "to be or not to be";
    const std::string first = delegate::call(
        last, payload(text), [](StringView view) { return view.copy().substr(0, 2); });
    std::cout << "the first word is " << first << std::endl;

    // Asynchronous calls with several values. The finish waits for them.
    finish([last] {
      for (const char* word : {"one", "two", "three"}) {
        delegate::call<async>(last, payload(word, 2), [](StringView view, int32_t times) {
          letters += view.size() * static_cast<size_t>(times);
        });
      }
      delegate::call<async>(last, payload(Road{"A1", {2, 3}}),
                            [](const Road& road) { roads.push_back(road); });
    });
    std::cout << "twice " << delegate::call(last, [] { return letters / 2; }) << " letters"
              << std::endl;

    // Values of any length, one from each core.
    size_t names = 0;
    for (const std::vector<std::string>& part : gather([] {
           std::vector<std::string> here;
           for (const Road& road : roads) here.push_back(road.name);
           return here;
         })) {
      names += part.size();
    }
    std::cout << names << " road" << std::endl;

    // Counts words. The values of a word are added on the caller's core before they are sent.
    typedef std::pair<std::string, int64_t> Count;
    const auto counts = GlobalMap<std::string, int64_t>::create();
    finish([counts] {
      for (const char* word : {"to", "be", "or", "not", "to", "be", "to"}) {
        counts->insert_or_combine<async>(word, 1);
      }
    });
    for (const Count& count :
         counts->top_k(2, [](const Count&a, const Count&b) { return a.second < b.second; })) {
      std::cout << count.second << " times " << count.first << std::endl;
    }
    counts->destroy();
  });
  return finalize();
}
