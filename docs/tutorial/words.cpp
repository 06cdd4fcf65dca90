#include <Grappa.hpp>

#include "structures/global_map.hpp"
#include "structures/text/forall_lines.hpp"

#include <iostream>
#include <sstream>

int main(int argc, char* argv[]) {
  typedef Grappa::GlobalMap<std::string, int64_t> Counts;
  Grappa::init(&argc, &argv);
  Grappa::run([argc, argv] {
    const auto counts = Counts::create();
    Grappa::forall_lines(argc > 1 ? argv[1] : __FILE__, [counts](const Grappa::TextLine& line) {
      std::istringstream words(line.str());
      for (std::string word; words >> word;) counts->insert_or_combine<Grappa::async>(word, 1);
    });
    const auto is_less = [](const Counts::Entry& a, const Counts::Entry& b) {
      return a.second != b.second ? a.second < b.second : a.first > b.first;
    };
    for (const auto& entry : counts->top_k(20, is_less))
      std::cout << entry.second << " " << entry.first << std::endl;
  });
  return Grappa::finalize();
}
