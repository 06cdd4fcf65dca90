#include <Grappa.hpp>

#include "structures/text/forall_lines.hpp"
#include "structures/text/line_writer.hpp"

#include <cstdlib>
#include <iostream>

using namespace Grappa;

Reducer<int64_t, ReducerType::Add> total;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    write_lines("ages.txt", 4,
                [](int64_t i, std::string* text) { *text += i == 2 ? "4o\n" : "40\n"; });
    forall_lines("ages.txt", [](const TextLine& line) {
      const std::string text = line.str();
      char* end = nullptr;
      total += std::strtoll(text.c_str(), &end, 10);
      if (text.empty() || *end != '\0') line.reject(line.quoted() + " is not a number");
    });
    std::cout << "the total is " << total << std::endl;
  });
  return finalize();
}
