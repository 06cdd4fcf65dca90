#include "structures/graph/file/text_parser.hpp"

namespace Grappa::detail {

bool HeaderParser::take(const char* first, const char* last, std::string* problem) {
  if (plan_->is_matrix() && !banner_read_) {
    return banner_read_ = parse_matrix_market_banner(first, last, &plan_->matrix, problem);
  }
  if (is_blank_or_comment(first, last, plan_->marks())) return true;
  last_line_bytes_ = last - first + 1;
  complete_ = plan_->is_matrix() ? parse_matrix_market_size(first, last, &plan_->matrix, problem)
                                 : parse_metis_header(first, last, &plan_->metis, problem);
  if (!plan_->declares_weights()) plan_->load.keeps_attributes = false;
  return false;
}

std::string HeaderParser::why_incomplete() const {
  return std::string("the file ends before the ") + (plan_->is_matrix() ? "size" : "header") +
         " line";
}

FileProblem check_header(const TextPlan& plan, int64_t bytes) {
  if (!plan.has_header()) return FileProblem();
  const bool matrix = plan.is_matrix();
  const int64_t nv = matrix ? plan.matrix.rows : plan.metis.nv;
  const int64_t lines = matrix ? plan.matrix.entries : plan.metis.nv;
  std::string problem = check_id(nv - 1, plan.load,
                                 matrix ? "a matrix of " + std::to_string(nv) + " rows"
                                        : "a graph of " + std::to_string(nv) + " vertices");
  if (problem.empty() && lines > bytes) {
    problem = std::string(matrix ? "the size line declares " : "the header line declares ") +
              std::to_string(lines) + (matrix ? " entries" : " vertices") + ", but only " +
              std::to_string(bytes) + " bytes follow";
  }
  if (problem.empty()) problem = check_edges(matrix ? lines : plan.metis.nedge, plan.load);
  return problem.empty() ? FileProblem() : FileProblem(plan.header_at, problem);
}

FileProblem missing_vertices(const TextPlan& plan, int64_t lines) {
  return {plan.header_at, "the header line declares " + std::to_string(plan.metis.nv) +
                              " vertices, but " + std::to_string(lines) + " lines follow"};
}

bool LineParser::take(const char* first, const char* last, std::string* problem) {
  if (plan_.is_metis()) {
    return is_metis_comment(first, last) || take_list(first, last, next_vertex_++, problem);
  }
  if (is_blank_or_comment(first, last, plan_.marks())) return true;
  TupleEdge edge;
  EdgeAttributes attributes = {};
  const bool parsed =
      plan_.is_matrix()
          ? parse_matrix_market_entry(first, last, plan_.matrix, &edge, &attributes, problem)
          : parse_edge_list_line(first, last, &edge,
                                 plan_.load.keeps_attributes ? &attributes : nullptr, problem);
  return parsed && take_edge(edge, attributes, plan_.load, buffer_, part_, problem);
}

bool LineParser::take_list(const char* first, const char* last, VertexID v, std::string* problem) {
  if (v >= plan_.metis.nv) {
    if (is_blank_or_comment(first, last, plan_.marks())) return true;
    *problem =
        "unexpected line after the line of the last vertex, " + std::to_string(plan_.metis.nv);
    return false;
  }
  const auto visit = [this, v](VertexID neighbour, double weight, std::string* its_problem) {
    plan_.sets->add(plan_.key, v, neighbour);
    return v > neighbour ||
           take_edge({v, neighbour}, {weight, 0}, plan_.load, buffer_, part_, its_problem);
  };
  return parse_metis_line(first, last, plan_.metis, v, visit, problem);
}

}  // namespace Grappa::detail
