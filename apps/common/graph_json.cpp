#include "apps/common/graph_json.hpp"

#include <nlohmann/json.hpp>

namespace apps {

nlohmann::ordered_json to_json(const GraphReport& graph) {
  nlohmann::ordered_json json;
  json["graph"] = graph.description;
  if (graph.kronecker) {
    json["SCALE"] = graph.scale;
    json["edgefactor"] = graph.edgefactor;
    json["seed"] = graph.seed;
  }
  json["vertices"] = graph.vertices;
  json["edges"] = graph.edges;
  json["num_mpi_processes"] = graph.cores;
  json["graph_generation"] = graph.generation_seconds;
  json["construction_time"] = graph.construction_seconds;
  json["construction_peak_bytes"] = graph.construction_peak_bytes;
  json["graph_bytes"] = graph.graph_bytes;
  return json;
}

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace apps
