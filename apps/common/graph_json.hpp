#pragma once

/// The JSON output of programs on graphs.

#include "apps/common/graph_report.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace apps {

/// The description and the sizes of the graph.
nlohmann::ordered_json to_json(const GraphReport& graph);

/// Returns the text of a JSON file. A path in the object may contain bytes that are not UTF-8.
std::string text_of(const nlohmann::ordered_json& json);

}  // namespace apps
