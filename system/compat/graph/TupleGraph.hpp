#pragma once

/// A header name that existing Grappa programs include.

#include "structures/graph/tuple_graph.hpp"
#include "system/compat/global_names.hpp"
