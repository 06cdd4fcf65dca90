#include "system/global/bulk_transfer.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using namespace Grappa::detail;

/// Calls visit(to, from) for each byte, with the offset of its destination and of its source.
template <class Visit>
void for_each_byte(const PieceCopy& copy, Visit visit) {
  uint64_t in_piece = copy.piece - copy.first, to = 0, from = 0;
  for (uint64_t k = 0; k < copy.bytes; ++k) {
    visit(to, from);
    ++in_piece;
    ++to;
    ++from;
    if (in_piece < copy.piece) continue;
    in_piece = 0;
    to += copy.to_stride - copy.piece;
    from += copy.from_stride - copy.piece;
  }
}

class PieceCopyTest : public testing::Test {
 protected:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  // Half of the gaps are multiples of 16, like the strides between heap blocks.
  uint32_t some_gap() {
    const uint32_t gap = below(2) == 0 ? 0 : below(100);
    return below(2) == 0 ? gap : gap / 16 * 16;
  }

  PieceCopy some_copy() {
    PieceCopy copy = {};
    copy.piece = below(2) == 0 ? kWholePiece : 1 + below(kWholePiece);
    copy.first = 1 + below(copy.piece);
    copy.to_stride = copy.piece + some_gap();
    copy.from_stride = copy.piece + some_gap();
    copy.bytes = below(3000);
    copy.streaming = below(2) == 0;
    from_.resize(size_t{3000} * 170 + 64);
    for (char& byte : from_) byte = static_cast<char>(random_());
    to_.assign(from_.size(), 'x');
    copy.from = from_.data();
    // Streaming requires that whole blocks begin at multiples of 16. This holds in half of the
    // turns.
    const bool aligned = below(2) == 0;
    copy.to = to_.data() + (aligned ? (copy.piece - copy.first) % 16 : below(64));
    return copy;
  }

  // Writes the expected result of a copy byte by byte.
  void mark(const PieceCopy& copy, std::vector<char>* bytes) {
    const uint64_t begin = static_cast<uint64_t>(copy.to - to_.data());
    for_each_byte(copy, [&](uint64_t to, uint64_t from) { (*bytes)[begin + to] = from_[from]; });
  }

  std::mt19937_64 random_{5};
  std::vector<char> from_, to_;
};

TEST_F(PieceCopyTest, CopiesEachByteToItsAddressOnly) {
  for (int turn = 0; turn < 50; ++turn) {
    const PieceCopy copy = some_copy();
    std::vector<char> wanted = to_;
    mark(copy, &wanted);
    copy_pieces(copy);
    ASSERT_EQ(wanted, to_) << "turn " << turn << ", teeth of " << copy.piece;
  }
}

TEST_F(PieceCopyTest, CopiesInStripsOfAnyLength) {
  for (int turn = 0; turn < 50; ++turn) {
    PieceCopy copy = some_copy();
    std::vector<char> wanted = to_;
    mark(copy, &wanted);
    const uint64_t most = kWholePiece + below(500);
    while (copy.bytes != 0) {
      const PieceCopy front = cut_front(&copy, most);
      ASSERT_GT(front.bytes, 0u);
      ASSERT_LE(front.bytes, most);
      copy_pieces(front);
    }
    ASSERT_EQ(wanted, to_) << "turn " << turn << ", teeth of " << copy.piece;
  }
}

TEST_F(PieceCopyTest, CopiesThroughABuffer) {
  for (int turn = 0; turn < 50; ++turn) {
    const PieceCopy copy = some_copy();
    std::vector<char> wanted = to_, buffer(copy.bytes);
    mark(copy, &wanted);
    copy_pieces(PieceCopy{buffer.data(), copy.from, copy.bytes, copy.piece, copy.from_stride,
                          copy.piece, copy.first, copy.streaming});
    copy_pieces(PieceCopy{copy.to, buffer.data(), copy.bytes, copy.to_stride, copy.piece,
                          copy.piece, copy.first, copy.streaming});
    ASSERT_EQ(wanted, to_) << "turn " << turn << ", teeth of " << copy.piece;
  }
}

TEST_F(PieceCopyTest, CopiesARangeToItself) {
  std::vector<char> bytes(100, 'a');
  copy_pieces(PieceCopy{bytes.data(), bytes.data(), bytes.size(), kWholePiece, kWholePiece,
                        kWholePiece, kWholePiece, false});
  EXPECT_EQ(std::vector<char>(100, 'a'), bytes);
}

TEST(StridedRange, ClipsToARange) {
  std::mt19937_64 random(6);
  for (int turn = 0; turn < 2000; ++turn) {
    const uint64_t piece = 1 + random() % 64, period = piece + random() % 200;
    const StridedRange comb = {random() % 300, period, piece};
    const uint64_t begin = random() % 1000, end = begin + random() % 1000;
    uint64_t bytes = 0, first_byte = 0, first = 0;
    for (uint64_t at = begin; at < end; ++at) {
      if (at < comb.start || (at - comb.start) % period >= piece) continue;
      if (bytes == 0) {
        first_byte = at;
        first = piece - (at - comb.start) % period;
      }
      ++bytes;
    }
    const StridedPart part = clip(comb, begin, end);
    ASSERT_EQ(bytes, part.bytes) << "turn " << turn;
    if (bytes == 0) continue;
    ASSERT_EQ(first_byte, part.begin) << "turn " << turn;
    ASSERT_EQ(first, part.first) << "turn " << turn;
  }
}

}  // namespace
