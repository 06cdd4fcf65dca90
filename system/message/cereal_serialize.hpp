#pragma once

/// Types with serialization functions for cereal (https://uscilab.github.io/cereal/) as values that
/// travel (serialize.hpp):
///
///     struct Road {
///       std::string name;
///       std::map<int, double> widths;
///       template <class Archive>
///       void serialize(Archive& archive) { archive(name, widths); }
///     };
///     template <>
///     struct Grappa::Serialize<Road> : Grappa::CerealSerialize<Road> {};
///
/// A program that includes this header needs cereal (Debian: libcereal-dev), and the headers of
/// cereal for the types in its values, such as <cereal/types/map.hpp>. The bytes are those of
/// cereal's BinaryOutputArchive, without a portable byte order: all nodes of a job must be alike.
/// size() serializes the value once more, so a Serialize of the program's own is faster.

#include "system/message/serialize.hpp"

#include <cereal/archives/binary.hpp>
#include <cstddef>
#include <cstring>
#include <istream>
#include <ostream>
#include <streambuf>

namespace Grappa {
namespace detail {

/// Counts the bytes that a stream writes.
class CountingBuffer : public std::streambuf {
 public:
  size_t bytes() const { return bytes_; }

 private:
  std::streamsize xsputn(const char*, std::streamsize n) override {
    bytes_ += static_cast<size_t>(n);
    return n;
  }

  size_t bytes_ = 0;
};

/// Passes the bytes that a stream writes to a Writer.
class WriterBuffer : public std::streambuf {
 public:
  explicit WriterBuffer(Writer* to) : to_(to) {}

 private:
  std::streamsize xsputn(const char* from, std::streamsize n) override {
    to_->bytes(from, static_cast<size_t>(n));
    return n;
  }

  Writer* const to_;
};

/// Takes the bytes that a stream reads from a Reader.
class ReaderBuffer : public std::streambuf {
 public:
  explicit ReaderBuffer(Reader* from) : from_(from) {}

 private:
  std::streamsize xsgetn(char* to, std::streamsize n) override {
    const size_t bytes = static_cast<size_t>(n);
    const char* const from = from_->bytes(bytes);
    if (bytes != 0) std::memcpy(to, from, bytes);
    return n;
  }

  Reader* const from_;
};

}  // namespace detail

/// Implements Serialize<T> with the serialization functions of T for cereal. T has a default
/// constructor. If loading reads more or fewer bytes than saving has written, the job aborts; a
/// wrong number of elements may allocate memory first. An exception of cereal aborts the job, too.
/// Pointers are tracked within one value: an object that two values share arrives twice.
template <class T>
struct CerealSerialize {
  static size_t size(const T& value) {
    detail::CountingBuffer buffer;
    write_to(&buffer, value);
    return buffer.bytes();
  }
  static void write(Writer* to, const T& value) {
    detail::WriterBuffer buffer(to);
    write_to(&buffer, value);
  }
  static T read(Reader* from) {
    detail::ReaderBuffer buffer(from);
    std::istream stream(&buffer);
    cereal::BinaryInputArchive archive(stream);
    T value{};
    archive(value);
    return value;
  }

 private:
  static void write_to(std::streambuf* buffer, const T& value) {
    std::ostream stream(buffer);
    cereal::BinaryOutputArchive archive(stream);
    archive(value);
  }
};

}  // namespace Grappa
