#pragma once

#include "system/compat/MessagePool.hpp"
