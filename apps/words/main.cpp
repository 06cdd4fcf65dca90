/// Counts the words of text files, or sequences of words, on all cores. Prints the most frequent
/// ones, and writes a table of all.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/words/grams.hpp"
#include "structures/global_map.hpp"
#include "structures/text/forall_lines.hpp"
#include "structures/text/line_writer.hpp"

#include <iostream>
#include <string>

DEFINE_string(input, "", "path or pattern of the text files; .gz and .zst are decompressed");
DEFINE_int64(n, 1, "number of consecutive words of a line that are counted together");
DEFINE_int64(top, 20, "number of most frequent entries to print");
DEFINE_int64(capacity, 0, "expected number of different entries; 0: the table grows as needed");
DEFINE_string(table, "", "file for all entries, in any order: a count, a tab, and the words");

namespace {

using namespace Grappa;

typedef GlobalMap<std::string, int64_t> Counts;

Reducer<int64_t, ReducerType::Add> counted, sum_of_counts;

bool less_frequent(const Counts::Entry& a, const Counts::Entry& b) {
  return a.second != b.second ? a.second < b.second : b.first < a.first;
}

void count(GlobalAddress<Counts> counts, const std::string& input, int64_t n) {
  forall_lines(input, [counts, n](const TextLine& line) {
    counted += words::for_each_gram(line.begin(), line.end(), n, [&](StringView gram) {
      if (static_cast<int64_t>(gram.size()) > words::kMostGramBytes) {
        return line.reject("a word or sequence of " + std::to_string(gram.size()) +
                           " bytes, expected at most " + std::to_string(words::kMostGramBytes));
      }
      counts->insert_or_combine<async>(gram, 1);
    });
  });
}

void write_table(GlobalAddress<Counts> counts, const std::string& path) {
  LineWriter table(path);
  const LineWriter::Lines lines = table.lines();
  counts->forall_entries([lines](StringView gram, int64_t& times) {
    lines.write(std::to_string(times) + "\t" + gram.copy());
  });
  table.close();
}

bool count_words() {
  if (FLAGS_input.empty()) input_error("--input: expected the path of a text file, or a pattern");
  apps::check_range("n", FLAGS_n, 1, 100);
  apps::check_range("top", FLAGS_top, 0, 1000000);
  apps::check_range("capacity", FLAGS_capacity, 0, INT64_MAX);
  apps::check_writable("table", FLAGS_table);
  const GlobalAddress<Counts> counts = Counts::create(FLAGS_capacity);
  const double seconds = apps::seconds_of([&] { count(counts, FLAGS_input, FLAGS_n); });
  for (const Counts::Entry& entry : counts->top_k(FLAGS_top, &less_frequent)) {
    std::cout << entry.second << "\t" << entry.first << "\n";
  }
  if (!FLAGS_table.empty()) write_table(counts, FLAGS_table);
  counts->forall_entries([](StringView, int64_t& times) { sum_of_counts += times; });
  const int64_t all = counted, sum = sum_of_counts;
  std::cout << "words: " << all << "\ndifferent: " << counts->size()
            << "\nseconds: " << apps::number("%.6f", seconds) << std::endl;
  counts->destroy();
  return !apps::report_wrong("words", all == sum ? ""
                                                 : "the counts add up to " + std::to_string(sum) +
                                                       ", expected " + std::to_string(all));
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &count_words); }
