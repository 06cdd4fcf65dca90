#include "structures/graph/file/file_parts.hpp"

#include "system/global/delegate.hpp"

#include <algorithm>

namespace Grappa::detail {

PartTotals sum_parts(GlobalAddress<GraphPart> parts) {
  struct Summary {
    int64_t size;
    VertexID max_id;
    int64_t problem_offset;
    bool whole_file;
    RemoteText sentence;
  };
  PartTotals totals;
  for (Core c = 0; c < cores(); ++c) {
    const int64_t start = totals.size;
    const Summary part = delegate::call(c, [parts, start] {
      GraphPart& mine = *parts.operator->();
      mine.start = start;
      return Summary{mine.size, mine.max_id, mine.problem.offset, mine.problem.whole_file,
                     RemoteText(mine.problem.sentence)};
    });
    totals.size += part.size;
    totals.largest_size = std::max(totals.largest_size, part.size);
    totals.max_id = std::max(totals.max_id, part.max_id);
    if (part.problem_offset < 0) continue;
    if (totals.problem.found() && totals.problem.offset <= part.problem_offset) continue;
    totals.problem = FileProblem(part.problem_offset, part.sentence.fetch(), part.whole_file);
  }
  return totals;
}

}  // namespace Grappa::detail
