#pragma once

/// What programs on graphs say, as JSON.

#include "apps/common/graph_report.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace apps {

/// All that is said of the graph.
nlohmann::ordered_json to_json(const GraphReport& graph);

/// As the text of a file. A path in it may hold bytes that are not UTF-8.
std::string text_of(const nlohmann::ordered_json& json);

}  // namespace apps
