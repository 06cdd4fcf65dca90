#include "tests/fuzz/serial_graph.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include <xxhash.h>

namespace fuzz {

using Grappa::TupleEdge;
using Grappa::VertexID;

void SerialGraph::add(VertexID v0, VertexID v1) {
  edges.push_back(TupleEdge{v0, v1});
  note_large(std::max(v0, v1));
}

void SerialGraph::add_upper(const Lists& lists) {
  for (size_t v = 0; v < lists.size(); ++v) {
    for (const VertexID w : lists[v]) {
      if (w >= VertexID(v)) add(VertexID(v), w);
    }
  }
}

void SerialGraph::count_vertices() {
  for (const TupleEdge& e : edges) nv = std::max({nv, e.v0 + 1, e.v1 + 1});
}

bool is_symmetric(const Lists& lists) {
  std::map<std::pair<VertexID, VertexID>, int64_t> more;  // in the lists of the smaller vertices
  for (size_t v = 0; v < lists.size(); ++v) {
    for (const VertexID w : lists[v]) {
      if (w != VertexID(v)) more[std::minmax(VertexID(v), VertexID(w))] += w > VertexID(v) ? 1 : -1;
    }
  }
  for (const auto& each : more) {
    if (each.second != 0) return false;
  }
  return true;
}

namespace {

// Reads numbers of a binary file one after another.
class Numbers {
 public:
  Numbers(const std::string& bytes, size_t at) : bytes_(bytes), at_(at) {}

  template <class T>
  T next() {
    T number = 0;
    if (bytes_.size() < sizeof number || at_ > bytes_.size() - sizeof number) {
      short_ = true;
    } else {
      std::memcpy(&number, &bytes_[at_], sizeof number);
      at_ += sizeof number;
    }
    return number;
  }
  bool at_end() const { return at_ == bytes_.size() && !short_; }
  bool is_short() const { return short_; }
  size_t left() const { return bytes_.size() - at_; }

 private:
  const std::string& bytes_;
  size_t at_;
  bool short_ = false;
};

SerialGraph records(const std::string& suffix, const std::string& bytes) {
  SerialGraph graph;
  Numbers numbers(bytes, 0);
  while (!numbers.at_end()) {
    VertexID v0 = 0, v1 = 0;
    if (suffix == ".bintsv4") {
      v0 = numbers.next<uint32_t>();
      v1 = numbers.next<uint32_t>();
    } else if (suffix == ".graph500") {
      v0 = numbers.next<int64_t>();
      v1 = numbers.next<int64_t>();
    } else {
      v0 = numbers.next<uint32_t>();
      v1 = numbers.next<uint32_t>();
      v0 += numbers.next<int16_t>() * (int64_t{1} << 32);
      v1 += numbers.next<int16_t>() * (int64_t{1} << 32);
    }
    if (numbers.is_short() || v0 < 0 || v1 < 0) return graph;
    if (std::max(v0, v1) == INT64_MAX) return graph;
    graph.add(v0, v1);
  }
  graph.good = !graph.edges.empty();
  graph.count_vertices();
  return graph;
}

// One side of a serialized graph of GAP.
bool read_gap_lists(Numbers* numbers, int64_t nv, int64_t entries, bool weighted, Lists* lists) {
  std::vector<int64_t> offsets;
  for (int64_t v = 0; v <= nv; ++v) offsets.push_back(numbers->next<int64_t>());
  if (!std::is_sorted(offsets.begin(), offsets.end())) return false;
  if (offsets.front() != 0 || offsets.back() != entries) return false;
  for (size_t v = 0; v < size_t(nv); ++v) {
    lists->emplace_back();
    for (int64_t k = offsets[v]; k < offsets[v + 1]; ++k) {
      const VertexID id = numbers->next<int32_t>();
      if (weighted) numbers->next<int32_t>();
      if (id < 0 || id >= nv) return false;
      lists->back().push_back(id);
    }
  }
  return !numbers->is_short();
}

SerialGraph gap(const std::string& bytes, bool weighted) {
  SerialGraph graph;
  Numbers numbers(bytes, 0);
  const uint8_t directed = numbers.next<uint8_t>();
  const int64_t entries = numbers.next<int64_t>();
  graph.nv = numbers.next<int64_t>();
  const int64_t most = int64_t(bytes.size());  // of both numbers
  if (directed > 1 || graph.nv < 1 || graph.nv > most || entries < 0 || entries > most)
    return graph;
  const int64_t side = 8 * (graph.nv + 1) + (weighted ? 8 : 4) * entries;
  if (int64_t(numbers.left()) != (directed + 1) * side) return graph;
  Lists out, in;
  if (!read_gap_lists(&numbers, graph.nv, entries, weighted, &out)) return graph;
  if (directed == 1) {
    if (!read_gap_lists(&numbers, graph.nv, entries, weighted, &in)) return graph;
    for (size_t v = 0; v < out.size(); ++v) {
      for (const VertexID w : out[v]) graph.add(VertexID(v), w);
    }
  } else {
    if (!is_symmetric(out)) return graph;
    graph.add_upper(out);
  }
  graph.good = true;
  return graph;
}

constexpr size_t kHeader = 56, kRow = 16, kBlock = 65536;

uint64_t checksum(const std::string& bytes, size_t begin, size_t end) {
  return XXH3_64bits(bytes.data() + begin, end - begin);
}

// The end of a block, which the next row gives.
size_t end_of_block(const std::string& bytes, uint64_t block, uint64_t blocks) {
  if (block + 1 == blocks) return bytes.size();
  return Numbers(bytes, kHeader + kRow * (block + 1)).next<uint64_t>();
}

SerialGraph saved(const std::string& bytes) {
  SerialGraph graph;
  if (bytes.size() < kHeader || bytes.compare(0, 8, "\x89Grappa\n") != 0) return graph;
  Numbers head(bytes, 8);
  const uint32_t version = head.next<uint32_t>(), id_bytes = head.next<uint32_t>(),
                 directed = head.next<uint32_t>(), each = head.next<uint32_t>();
  const uint64_t nv = head.next<uint64_t>(), entries = head.next<uint64_t>(),
                 blocks = head.next<uint64_t>(), sum = head.next<uint64_t>();
  if (version != 1 || id_bytes != 4 || directed > 1 || each != kBlock) return graph;
  if (sum != checksum(bytes, 0, 48) || nv > bytes.size() || entries > bytes.size()) return graph;
  if (blocks != (nv + kBlock - 1) / kBlock) return graph;
  if (bytes.size() != kHeader + kRow * blocks + 4 * (nv + entries)) return graph;
  Lists lists(nv);
  for (uint64_t block = 0; block < blocks; ++block) {
    Numbers row(bytes, kHeader + kRow * block);
    const uint64_t at = row.next<uint64_t>(), its_sum = row.next<uint64_t>();
    const uint64_t end = end_of_block(bytes, block, blocks);
    if (block == 0 && at != kHeader + kRow * blocks) return graph;
    if (at > end || end > bytes.size() || its_sum != checksum(bytes, at, end)) return graph;
    Numbers numbers(bytes, at);
    std::vector<uint32_t> lengths;
    uint64_t size = 0;
    for (uint64_t v = block * kBlock; v < std::min(nv, (block + 1) * kBlock); ++v) {
      lengths.push_back(numbers.next<uint32_t>());
      size += 4 * (uint64_t{1} + lengths.back());
    }
    if (size != end - at) return graph;
    for (size_t k = 0; k < lengths.size(); ++k) {
      std::vector<VertexID>& list = lists[block * kBlock + k];
      for (uint32_t left = lengths[k]; left > 0; --left) {
        const VertexID id = numbers.next<uint32_t>(), self = VertexID(block * kBlock + k);
        if (id == self || id >= VertexID(nv) || (!list.empty() && id <= list.back())) return graph;
        list.push_back(id);
      }
    }
  }
  if (directed == 0 && !is_symmetric(lists)) return graph;
  graph.good = true;
  graph.nv = int64_t(nv);
  for (size_t v = 0; v < lists.size(); ++v) {
    for (const VertexID w : lists[v]) {
      if (directed == 1 || w > VertexID(v)) graph.add(VertexID(v), w);
    }
  }
  return graph;
}

}  // namespace

SerialGraph read_binary_serially(const std::string& suffix, const std::string& bytes) {
  if (suffix == ".sg" || suffix == ".wsg") return gap(bytes, suffix == ".wsg");
  if (suffix == ".saved") return saved(bytes);
  return records(suffix, bytes);
}

void correct_checksums(std::string* bytes) {
  if (bytes->size() < kHeader) return;
  uint64_t sum = checksum(*bytes, 0, 48);
  std::memcpy(&(*bytes)[48], &sum, 8);
  const uint64_t blocks = Numbers(*bytes, 40).next<uint64_t>();
  for (uint64_t block = 0; block < blocks && kHeader + kRow * (block + 1) <= bytes->size();
       ++block) {
    const uint64_t at = Numbers(*bytes, kHeader + kRow * block).next<uint64_t>();
    const uint64_t end = end_of_block(*bytes, block, blocks);
    if (at > end || end > bytes->size()) continue;
    sum = checksum(*bytes, at, end);
    std::memcpy(&(*bytes)[kHeader + kRow * block + 8], &sum, 8);
  }
}

}  // namespace fuzz
