#include "bench/plot/pictures.hpp"

#include <cstdio>

namespace bench { namespace plot {
namespace {

Picture figure6() {
  Picture picture = {"figure6", "figure6", "structures", "cores", core_numbers(), {}};
  for (const char* structure : {"stack", "queue"}) {
    for (const char* mix : {"push", "mixed"}) {
      const auto add = [&](const std::string& name, const std::string& mode,
                           Curve::Reading reading) {
        const auto id = [structure, mix, mode](int cores) {
          return throughput_id(structure, mix, mode, cores);
        };
        picture.curves.push_back({std::string(structure) + " " + mix + " " + name, id, reading});
      };
      add("none", "distributed", Curve::Reading::Baseline);
      add("centralized", "centralized", Curve::Reading::Value);
      add("distributed", "distributed", Curve::Reading::Value);
    }
    for (const std::string& program : plain_programs()) {
      const auto id = [structure, program](int cores) {
        return throughput_id(structure, "plain", program, cores);
      };
      picture.curves.push_back(
          {std::string(structure) + " " + program, id, Curve::Reading::Baseline});
    }
  }
  return picture;
}

Picture figure7() {
  Picture picture = {"figure7", "figure7", "structures", "cores", several_core_numbers(), {}};
  for (const char* mix : {"push", "mixed"}) {
    const auto id = [mix](int cores) { return messages_id(mix, cores); };
    picture.curves.push_back({mix, id, Curve::Reading::Ratio});
  }
  return picture;
}

Picture figure8() {
  Picture picture = {"figure8", "figure8", "structures", "log2 of key range", log_key_ranges(), {}};
  for (const char* structure : {"set", "map"}) {
    for (const int lookups : lookup_percentages()) {
      const auto id = [structure, lookups](int log) { return hash_id(structure, lookups, log); };
      const std::string name = std::string(structure) + " " + std::to_string(lookups);
      picture.curves.push_back({name + " none", id, Curve::Reading::Baseline});
      picture.curves.push_back({name + " distributed", id, Curve::Reading::Value});
      if (std::string(structure) != "set") continue;
      const auto uncached = [lookups](int log) { return hash_id(kUncachedSet, lookups, log); };
      picture.curves.push_back({name + " uncached", uncached, Curve::Reading::Value});
    }
  }
  return picture;
}

Picture figure9a() {
  Picture picture = {"figure9a", "figure9a", "graph", "cores", core_numbers(), {}};
  for (const std::string& form : bfs_forms()) {
    const auto id = [form](int cores) { return bfs_id(form, cores); };
    picture.curves.push_back({form, id, Curve::Reading::Value});
    if (form == bfs_forms().back())
      picture.curves.push_back({"tuned", id, Curve::Reading::Baseline});
  }
  return picture;
}

Picture figure9b() {
  Picture picture = {"figure9b", "figure9b", "cc", "cores", core_numbers(), {}};
  for (const std::string& form : kahan_forms()) {
    const auto id = [form](int cores) { return cc_id(form, cores); };
    picture.curves.push_back({"kahan." + form, id, Curve::Reading::Value});
    if (form == kahan_forms().back())
      picture.curves.push_back({"tuned", id, Curve::Reading::Baseline});
  }
  return picture;
}

const Figure* find(const Result& result, const std::string& full_id, std::string* problem) {
  const std::string id = result.quick ? full_id + kQuickSuffix : full_id;
  for (const Figure& figure : result.figures) {
    if (figure.question.id != id) continue;
    if (!figure.verified) {
      *problem = "the figure " + id + " was not verified";
    } else if (!figure.has_baseline()) {
      *problem = "the figure " + id + " has no baseline";
    } else {
      return &figure;
    }
    return nullptr;
  }
  *problem = "has no figure " + id;
  for (const Omission& omission : result.omitted) {
    if (omission.id == id) *problem += ": " + omission.why;
  }
  return nullptr;
}

Picture simulated8() {
  Picture picture = {"simulated8", "simulated8", "simulated", "", {}, {}};
  for (const char* structure : {"set", "map"}) {
    for (const int log_range : simulated_log_key_ranges()) {
      const auto id_of = [log_range](const std::string& name) {
        return
            [name, log_range](int locales) { return simulated_hash_id(name, log_range, locales); };
      };
      const std::string name = std::string(structure) + " " + std::to_string(log_range);
      picture.curves.push_back({name + " none", id_of(structure), Curve::Reading::Baseline});
      picture.curves.push_back({name + " distributed", id_of(structure), Curve::Reading::Value});
      if (std::string(structure) != "set") continue;
      picture.curves.push_back({name + " uncached", id_of(kUncachedSet), Curve::Reading::Value});
    }
  }
  return picture;
}

// Returns the picture with points from simulations. Its name is that of the paper's figure.
Picture simulated(Picture picture) {
  picture.name.replace(0, std::string("figure").size(), "simulated");
  for (Curve& curve : picture.curves) {
    const auto id = curve.id;
    curve.id = [id](int locales) { return simulated_id(id(locales)); };
  }
  return picture;
}

// Returns the simulated pictures that have points.
std::vector<Picture> simulated_pictures(const Result& result) {
  std::vector<Picture> pictures;
  for (Picture picture : {simulated(figure6()), simulated(figure7()), simulated8(),
                          simulated(figure9a()), simulated(figure9b())}) {
    picture.benchmark = "simulated";
    picture.x = "locales";
    picture.xs.clear();
    for (const int locales : locale_numbers()) {
      std::string problem;
      if (find(result, picture.curves[0].id(locales), &problem) != nullptr)
        picture.xs.push_back(locales);
    }
    if (!picture.xs.empty()) pictures.push_back(picture);
  }
  return pictures;
}

std::string number(const Figure& figure, Curve::Reading reading) {
  double value = figure.value;
  if (reading == Curve::Reading::Baseline) value = figure.baseline_value;
  if (reading == Curve::Reading::Ratio) value = figure.ratio;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

const std::vector<int>& core_numbers() {
  static const std::vector<int> numbers = {1, 2, 4, 8};
  return numbers;
}

const std::vector<int>& several_core_numbers() {
  static const std::vector<int> numbers(core_numbers().begin() + 1, core_numbers().end());
  return numbers;
}

const std::vector<int>& log_key_ranges() {
  static const std::vector<int> logs = {8, 10, 12, 14, 16, 18, 20, 22, 24, 26};
  return logs;
}

const std::vector<int>& lookup_percentages() {
  static const std::vector<int> percentages = {0, 50, 80};
  return percentages;
}

const std::vector<int>& locale_numbers() {
  static const std::vector<int> numbers = {1, 2, 4, 8, 16, 32, 64};
  return numbers;
}

const std::vector<int>& simulated_log_key_ranges() {
  static const std::vector<int> logs = {10, 20};
  return logs;
}

std::string simulated_id(const std::string& id) { return "sim." + id; }

std::string simulated_hash_id(const std::string& structure, int log_key_range, int locales) {
  return simulated_id(hash_id(structure, kSimulatedLookups, log_key_range)) + "." +
         std::to_string(locales);
}

std::string throughput_id(const std::string& structure, const std::string& mix,
                          const std::string& mode, int cores) {
  return "fig6." + structure + "." + mix + "." + mode + "." + std::to_string(cores);
}

std::string messages_id(const std::string& mix, int cores) {
  return "fig7." + mix + "." + std::to_string(cores);
}

std::string hash_id(const std::string& structure, int lookup_percentage, int log_key_range) {
  return "fig8." + structure + "." + std::to_string(lookup_percentage) + "." +
         std::to_string(log_key_range);
}

const std::vector<std::string>& plain_programs() {
  static const std::vector<std::string> programs = {"append", "append_async", "reserve"};
  return programs;
}

const std::vector<std::string>& bfs_forms() {
  static const std::vector<std::string> forms = {"queue.none", "queue.distributed",
                                                 "direction.none", "direction.distributed"};
  return forms;
}

std::string bfs_id(const std::string& form, int cores) {
  return "fig9a." + form + "." + std::to_string(cores);
}

const std::vector<std::string>& kahan_forms() {
  static const std::vector<std::string> forms = {"none", kUncachedForm, "distributed"};
  return forms;
}

std::string cc_id(const std::string& form, int cores) {
  return "fig9b.kahan." + form + "." + std::to_string(cores);
}

std::vector<Picture> pictures_of(const Result& result) {
  if (result.benchmark == "simulated") return simulated_pictures(result);
  std::vector<Picture> pictures;
  for (const Picture& picture : {figure6(), figure7(), figure8(), figure9a(), figure9b()}) {
    if (picture.benchmark == result.benchmark) pictures.push_back(picture);
  }
  return pictures;
}

std::string to_csv(const Picture& picture, const Result& result, std::string* problem) {
  std::string csv = "# " + result.command + ", commit " + result.commit + ", " +
                    std::to_string(result.machine.processors) + " processors of " +
                    result.machine.cpu + "\n" + picture.x;
  for (const Curve& curve : picture.curves) csv += "," + curve.name;
  csv += "\n";
  for (const int x : picture.xs) {
    csv += std::to_string(x);
    for (const Curve& curve : picture.curves) {
      const Figure* const figure = find(result, curve.id(x), problem);
      if (figure == nullptr) return csv;
      csv += "," + number(*figure, curve.reading);
    }
    csv += "\n";
  }
  return csv;
}

}}  // namespace bench::plot
