#include <Grappa.hpp>

#include "structures/text/forall_lines.hpp"
#include "structures/text/line_writer.hpp"

#include <cstdio>
#include <iostream>

using namespace Grappa;

// Each core accumulates the values of its own lines.
Reducer<int64_t, ReducerType::Add> lines;
Reducer<int64_t, ReducerType::Max> longest;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const std::string path = "squares." + std::to_string(cores()) + ".txt";
    // The cores make the lines in parallel. The file has them in the order of i.
    write_lines(path, 1000, [](int64_t i, std::string* text) {
      *text += std::to_string(i) + " " + std::to_string(i * i) + "\n";
    });

    // Each core reads its share of the bytes.
    forall_lines(path, [](const TextLine& line) {
      if (line.empty()) return line.reject("a blank line, expected two numbers");
      ++lines;
      longest << line.size();
    });
    std::cout << lines << " lines, the longest has " << longest << " bytes" << std::endl;
    std::remove(path.c_str());
  });
  return finalize();
}
