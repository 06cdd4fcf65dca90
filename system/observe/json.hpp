#pragma once

/// The JSON of reports, traces and tables. Only sources include this header.

#include <string>

#include <nlohmann/json.hpp>

namespace Grappa { namespace detail {

typedef nlohmann::ordered_json Json;

/// Converts JSON to text that does not depend on the locale of the program. Replaces invalid UTF-8.
inline std::string text_of(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}}  // namespace Grappa::detail
