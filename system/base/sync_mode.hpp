#pragma once

/// Whether a call returns when its effect is visible, or at once.

namespace Grappa {

enum class SyncMode { Blocking, Async };
constexpr SyncMode blocking = SyncMode::Blocking;
constexpr SyncMode async = SyncMode::Async;

}  // namespace Grappa
