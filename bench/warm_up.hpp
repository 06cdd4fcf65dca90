#pragma once

namespace bench {

/// Makes each core send twice as many bytes as all its message buffers hold. A core has 16 MiB of
/// buffers by default, and the first access to a page of them takes 25 us on some virtual machines,
/// so a loop of messages in a new job may take ten times as long as later loops. From: the main
/// task. Suspends.
void touch_message_buffers();

}  // namespace bench
