#pragma once

#include "structures/graph/tuple_graph.hpp"
#include "system/compat/global_names.hpp"
