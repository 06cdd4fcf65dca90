#pragma once

#include "system/compat/Metrics.hpp"
