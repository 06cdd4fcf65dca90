#pragma once

/// A header name that existing Grappa programs include.

#include "system/compat/global_names.hpp"
#include "system/observe/metrics.hpp"
#include "system/report/report.hpp"
