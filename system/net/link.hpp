#pragma once

/// A way on which this core exchanges buffers with other cores. A core has one link to the cores of
/// its locale, and one to the cores of other locales; the World makes both (world.hpp).

#include "system/base/ids.hpp"
#include "system/net/buffer.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

struct LinkOptions {
  size_t buffer_bytes;    // with the header
  uint32_t buffers;       // in the pool of each core
  uint32_t ring_entries;  // buffers in transit between two cores of a locale
  int posted_receives;    // buffers for messages from other locales
};

/// No function waits. Between two cores, each buffer arrives exactly once and in order. All cores
/// must construct a link together, and destroy it together when no buffer is in transit.
class Link {
 public:
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  virtual ~Link() = default;

  /// A hint that a buffer will soon be sent to `peer`.
  virtual void prefetch(size_t) {}

  /// Passes a buffer to `peer`: a core, or in a LocaleLink the index of a core in the locale.
  /// If a LocaleLink is full, returns false, and the caller keeps the buffer.
  virtual bool try_send(size_t peer, Buffer* buffer) = 0;

  /// Returns the next buffer of this core that is free again after try_send(), or null.
  virtual Buffer* completed() = 0;

  /// Returns the next received buffer, or null.
  virtual Buffer* receive() = 0;

  /// Takes back a received buffer.
  virtual void give_back(Buffer* buffer) = 0;

  /// Returns true if a buffer was sent of which only this core knows.
  virtual bool sending() const { return false; }
};

/// The link within a locale, which has the memory of the core's pool.
class LocaleLink : public Link {
 public:
  /// `index` is below LinkOptions::buffers. The memory is allocated at its first use.
  virtual Buffer* own_buffer(uint32_t index) = 0;
};

}}  // namespace Grappa::detail
