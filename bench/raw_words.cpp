#include "bench/raw_words.hpp"

#include "bench/raw_memory.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace raw {
namespace {

constexpr size_t kAhead = 16;  // words between the prefetches of slot and word, and the access

bool is_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

// A file in memory. The file is created with `bytes` bytes if this is not 0.
class Mapped {
 public:
  explicit Mapped(const std::string& path, size_t bytes = 0) {
    const int flags = bytes > 0 ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY;
    const int fd = ::open(path.c_str(), flags, 0600);
    GRAPPA_CHECK(fd >= 0) << "cannot open " << path;
    GRAPPA_CHECK(bytes == 0 || ::ftruncate(fd, off_t(bytes)) == 0) << path;
    struct stat status = {};
    ::fstat(fd, &status);
    size_ = size_t(status.st_size);
    const int access = bytes > 0 ? PROT_READ | PROT_WRITE : PROT_READ;
    if (size_ > 0) data_ = static_cast<char*>(::mmap(nullptr, size_, access, MAP_SHARED, fd, 0));
    ::close(fd);
    GRAPPA_CHECK(data_ != MAP_FAILED) << "cannot map " << path;
  }
  ~Mapped() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

struct Word {
  const char* bytes;
  uint32_t size;
  uint64_t hash;
  int64_t count;
};

struct Entry {  // in a shared file; the bytes follow
  uint64_t hash;
  int64_t count;
  uint32_t size;
};

}  // namespace

uint64_t word_checksum(const char* word, size_t bytes) {
  uint64_t hash = 14695981039346656037u;
  for (size_t k = 0; k < bytes; ++k) hash = (hash ^ uint8_t(word[k])) * 1099511628211u;
  return hash;
}

// Linear probing, at most half full. The bytes of the words are in chunks. Both have huge pages.
struct WordCounter::Table {
  Array<Word> slots = Array<Word>(int64_t{1} << 16);
  size_t used = 0;
  std::vector<Array<char>> chunks;
  size_t free = 0;

  Word begun[2 * kAhead];  // words of add_prefetched()
  size_t n_begun = 0, n_added = 0;

  /// Like add(), but the word is added in a later call, after its slot has been prefetched, and
  /// then the word in the slot. The bytes of the word must remain valid until add_begun().
  void add_prefetched(const Word& word) {
    if (n_begun - n_added == 2 * kAhead) add(begun[n_added++ % (2 * kAhead)]);
    begun[n_begun++ % (2 * kAhead)] = word;
    GRAPPA_PREFETCH(&home(word.hash));
    if (n_begun > kAhead) {
      GRAPPA_PREFETCH(home(begun[(n_begun - 1 - kAhead) % (2 * kAhead)].hash).bytes);
    }
  }
  void add_begun() {
    while (n_added != n_begun) add(begun[n_added++ % (2 * kAhead)]);
  }

  Word& home(uint64_t hash) { return slots[int64_t(hash & mask())]; }

  void add(const Word& word) {
    for (uint64_t at = word.hash & mask();; at = (at + 1) & mask()) {
      Word& slot = slots[int64_t(at)];
      if (slot.count == 0) {
        slot = word;
        slot.bytes = copy(word);
        if (++used * 2 > mask()) grow();
        return;
      }
      if (slot.hash == word.hash && slot.size == word.size &&
          std::memcmp(slot.bytes, word.bytes, word.size) == 0) {
        slot.count += word.count;
        return;
      }
    }
  }

  /// Makes space for n words. The words of another table come in the order of their hashes. In a
  /// table that is smaller and grows, such words form long clusters.
  void reserve(size_t n) {
    while (mask() < 2 * n) grow();
  }

  const char* copy(const Word& word) {
    constexpr size_t kChunk = size_t{32} << 20;
    if (free < word.size) {
      free = std::max<size_t>(kChunk, word.size);
      chunks.emplace_back(int64_t(free));
    }
    char* const to = chunks.back().data() + (free -= word.size);
    std::memcpy(to, word.bytes, word.size);
    return to;
  }

  void grow() {
    Array<Word> old(2 * slots.size());
    std::swap(old, slots);
    for (const Word& word : old) {
      if (word.count == 0) continue;
      uint64_t at = word.hash & mask();
      while (slots[int64_t(at)].count != 0) at = (at + 1) & mask();
      slots[int64_t(at)] = word;
    }
  }

  uint64_t mask() const { return uint64_t(slots.size()) - 1; }
};

WordCounter::WordCounter(int core, int cores, const std::string& shared)
    : core_(core), cores_(cores), shared_(shared), table_(new Table) {}

WordCounter::~WordCounter() { delete table_; }

std::string WordCounter::part(int from, int to) const {
  return shared_ + "." + std::to_string(from) + "." + std::to_string(to);
}

void WordCounter::count(const std::string& path) {
  const Mapped file(path);
  const char* const end = file.data() + file.size();
  const auto bound = [&](int core) {  // the start of a line
    const char* at = file.data() + file.size() * size_t(core) / size_t(cores_);
    while (at != file.data() && at != end && at[-1] != '\n') ++at;
    return at;
  };
  const char* at = bound(core_);
  const char* const last = core_ + 1 == cores_ ? end : bound(core_ + 1);
  while (at != last) {
    if (is_space(*at)) {
      ++at;
      continue;
    }
    const char* const first = at;
    while (at != last && !is_space(*at)) ++at;
    const auto size = uint32_t(at - first);
    table_->add_prefetched(Word{first, size, XXH3_64bits(first, size), 1});
  }
  table_->add_begun();
  if (cores_ == 1) return;
  // The owner of a word follows from the upper bits of its hash.
  const auto owner = [this](const Word& word) {
    return int((word.hash >> 32) * uint64_t(cores_) >> 32);
  };
  std::vector<size_t> bytes(size_t(cores_), 0);
  size_t own_words = 0;
  for (const Word& word : table_->slots) {
    if (word.count == 0) continue;
    bytes[size_t(owner(word))] += sizeof(Entry) + word.size;
    own_words += owner(word) == core_ ? 1 : 0;
  }
  std::vector<std::unique_ptr<Mapped>> parts(static_cast<size_t>(cores_));
  std::vector<char*> to(static_cast<size_t>(cores_));
  for (int core = 0; core < cores_; ++core) {
    if (core == core_) continue;
    parts[size_t(core)].reset(
        new Mapped(part(core_, core), std::max<size_t>(bytes[size_t(core)], 1)));
    to[size_t(core)] = parts[size_t(core)]->data();
  }
  Table own;
  own.reserve(own_words);
  for (const Word& word : table_->slots) {
    if (word.count == 0) continue;
    const int core = owner(word);
    if (core == core_) {
      own.add(word);
      continue;
    }
    char*& place = to[size_t(core)];
    const Entry entry = {word.hash, word.count, word.size};
    std::memcpy(place, &entry, sizeof entry);
    std::memcpy(place + sizeof entry, word.bytes, word.size);
    place += sizeof entry + word.size;
  }
  std::swap(*table_, own);
}

void WordCounter::merge() {
  for (int core = 0; core < cores_; ++core) {
    if (core == core_) continue;
    const Mapped file(part(core, core_));
    const char* const end = file.data() + file.size();
    // Most words are on several cores. The file has at most this number of entries.
    table_->reserve(std::max(table_->used, file.size() / sizeof(Entry)));
    for (const char* at = file.data(); size_t(end - at) >= sizeof(Entry);) {
      Entry entry;
      std::memcpy(&entry, at, sizeof entry);
      table_->add_prefetched(Word{at + sizeof entry, entry.size, entry.hash, entry.count});
      at += sizeof entry + entry.size;
    }
    table_->add_begun();
    ::unlink(part(core, core_).c_str());
  }
}

WordCounts WordCounter::counts() const {
  WordCounts all = {0, 0, 0};
  for (const Word& word : table_->slots) {
    if (word.count == 0) continue;
    all.words += word.count;
    ++all.different;
    all.checksum += uint64_t(word.count) * word_checksum(word.bytes, word.size);
  }
  return all;
}

}  // namespace raw
