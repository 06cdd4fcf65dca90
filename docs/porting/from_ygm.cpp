#include "structures/global_map.hpp"
#include "structures/text/forall_lines.hpp"
#include "structures/text/line_writer.hpp"

#include <Grappa.hpp>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

#include <unistd.h>

using namespace Grappa;

typedef std::pair<std::string, int64_t> Count;

/// True if `a` has fewer occurrences, or as many and a later word.
bool fewer(const Count& a, const Count& b) {
  return a.second != b.second ? a.second < b.second : a.first > b.first;
}

const char* const kWords[] = {"to", "be", "or", "not", "to", "be", "that", "is"};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const std::string path = "from_ygm_" + std::to_string(::getpid()) + ".txt";
    write_lines(path, 1000, [](int64_t i, std::string* text) {
      *text += std::string(kWords[i % 8]) + " " + kWords[i % 3] + "\n";
    });

    // Counts the words of a file.
    const auto words = GlobalMap<std::string, int64_t>::create();
    forall_lines(path, [words](const TextLine& line) {
      std::istringstream stream(line.str());
      for (std::string word; stream >> word;) words->insert_or_combine<async>(word, 1);
    });
    for (const Count& each : words->top_k(2, &fewer)) {
      std::cout << each.second << " times " << each.first << std::endl;
    }

    // Visits an entry, and starts further work from the visit.
    const auto lengths = GlobalMap<std::string, int64_t>::create();
    finish([words, lengths] {
      words->update<async>("that", [lengths](int64_t& count) {
        count = 0;
        lengths->insert<async>("that", 4);
      });
    });
    int64_t length = 0, count = -1;
    if (lengths->lookup("that", &length) && words->lookup("that", &count)) {
      std::cout << "that: " << length << " letters, count " << count << std::endl;
    }
    lengths->destroy();
    words->destroy();
    std::remove(path.c_str());
  });
  return finalize();
}
