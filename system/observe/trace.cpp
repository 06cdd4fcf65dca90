#include "system/observe/trace.hpp"

#include "system/observe/clock.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <string>

#include <nlohmann/json.hpp>

namespace Grappa {
namespace detail {
namespace {

/// Returns all metrics, oldest first: a new metric does not change the indices of earlier metrics.
/// The list is the same on every core, so an index identifies a metric.
std::vector<const Metric*> metrics() {
  std::vector<const Metric*> all;
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    all.push_back(metric);
  }
  std::reverse(all.begin(), all.end());
  return all;
}

/// Formats a number for JSON, independent of the locale of the program.
std::string text(double number) { return nlohmann::json(number).dump(); }

}  // namespace

Trace::Trace(uint64_t interval_ns) : interval_ns_(interval_ns), origin_ns_(steady_ns()) {}

void Trace::start() {
  if (recording()) return;
  metrics_ = metrics();
  last_.assign(metrics_.size(), std::nan(""));
  sample(steady_ns());
}

void Trace::stop() {
  if (!recording()) return;
  sample(steady_ns());
  due_ns_ = kNever;
}

void Trace::sample_if_due() {
  if (!recording()) return;
  const uint64_t now_ns = steady_ns();
  if (now_ns >= due_ns_) sample(now_ns);
}

void Trace::sample(uint64_t now_ns) {
  due_ns_ = now_ns + interval_ns_;
  for (size_t k = 0; k < metrics_.size(); ++k) {
    const double value = metrics_[k]->read().number();
    // number() of a text is NaN. A value that is not finite cannot be plotted or written as JSON.
    if (!std::isfinite(value) || value == last_[k]) continue;
    last_[k] = value;
    points_.push_back({now_ns - origin_ns_, value, k});
  }
}

TraceWriter::TraceWriter(std::ostream& out) : out_(out), metrics_(metrics()) {
  out_.imbue(std::locale::classic());
  out_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
}

TraceWriter::~TraceWriter() {
  out_ << "\n]";
  if (!left_out_.empty()) {
    nlohmann::json counts;
    for (const auto& core : left_out_) counts.push_back(core.second);
    out_ << ",\"otherData\":{\"events left out, by core\":" << counts.dump() << "}";
  }
  out_ << "}\n";
}

std::string TraceWriter::quoted(const std::string& text) {
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;  // for invalid UTF-8
  return nlohmann::json(text).dump(-1, ' ', false, kReplace);
}

std::ostream& TraceWriter::next_event() {
  out_ << (first_ ? "\n" : ",\n");
  first_ = false;
  return out_;
}

void TraceWriter::name_core(int core) {
  next_event() << "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" << core
               << ",\"args\":{\"name\":\"core " << core << "\"}}";
}

void TraceWriter::name_thread(int core, int thread, const char* name) {
  next_event() << "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" << core << ",\"tid\":" << thread
               << ",\"args\":{\"name\":" << quoted(name) << "}}";
}

void TraceWriter::left_out(int core, uint64_t events) {
  left_out_[core] = events;
  if (events == 0) return;
  next_event() << "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":" << core
               << ",\"args\":{\"labels\":\"" << events << " earlier events left out\"}}";
}

void TraceWriter::write(int core, const Trace::Point* points, size_t n, int64_t origin_ns) {
  for (const Trace::Point* point = points; point != points + n; ++point) {
    const Metric& metric = *metrics_.at(point->metric);
    const char* unit = metric.unit()[0] != '\0' ? metric.unit() : "value";
    next_event() << "{\"ph\":\"C\",\"pid\":" << core << ",\"ts\":"
                 << text(static_cast<double>(static_cast<int64_t>(point->ns) + origin_ns) * 1e-3)
                 << ",\"name\":" << quoted(metric.name()) << ",\"args\":{" << quoted(unit) << ":"
                 << text(point->value) << "}}";
  }
}

}  // namespace detail
}  // namespace Grappa
