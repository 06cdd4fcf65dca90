#include "tests/global/litmus/program.hpp"

#include "system/base/check.hpp"

namespace litmus {
namespace {

enum { x, y, z };

Access read(int word, int into) { return {Access::Read, word, into, false}; }
Access write(int word, int value) { return {Access::Write, word, value, false}; }
Access joined(Access access) {
  access.joined = true;
  return access;
}

std::vector<Program> all_programs() {
  std::vector<Program> all;
  const auto add = [&all](const char* name, int words, int registers,
                          const std::vector<std::vector<Access>>& threads) {
    all.push_back({name, words, registers, threads});
  };
  add("SB", 2, 2, {{write(x, 1), read(y, 0)}, {write(y, 1), read(x, 1)}});
  add("MP", 2, 2, {{write(x, 1), write(y, 1)}, {read(y, 0), read(x, 1)}});
  add("LB", 2, 2, {{read(x, 0), write(y, 1)}, {read(y, 1), write(x, 1)}});
  add("S", 2, 1, {{write(x, 2), write(y, 1)}, {read(y, 0), write(x, 1)}});
  add("R", 2, 1, {{write(x, 1), write(y, 1)}, {write(y, 2), read(x, 0)}});
  add("2+2W", 2, 0, {{write(x, 1), write(y, 2)}, {write(y, 1), write(x, 2)}});
  add("CoRR", 1, 2, {{write(x, 1)}, {read(x, 0), read(x, 1)}});
  add("CoRR2", 1, 4,
      {{write(x, 1)}, {write(x, 2)}, {read(x, 0), read(x, 1)}, {read(x, 2), read(x, 3)}});
  add("IRIW", 2, 4,
      {{write(x, 1)}, {write(y, 1)}, {read(x, 0), read(y, 1)}, {read(y, 2), read(x, 3)}});
  add("WRC", 2, 3, {{write(x, 1)}, {read(x, 0), write(y, 1)}, {read(y, 1), read(x, 2)}});
  add("ISA2", 3, 3,
      {{write(x, 1), write(y, 1)}, {read(y, 0), write(z, 1)}, {read(z, 1), read(x, 2)}});
  add("MP+2", 3, 3,
      {{joined(write(x, 1)), write(y, 1), write(z, 1)}, {read(z, 0), read(x, 1), read(y, 2)}});
  return all;
}

/// The state of an incomplete interleaving.
struct State {
  std::vector<size_t> next;  // for each thread, the index of its next access
  int words[kMostWords];
  Outcome registers;
};

void interleave(const Program& program, const State& state, std::set<Outcome>* outcomes) {
  bool ended = true;
  for (size_t thread = 0; thread < program.threads.size(); ++thread) {
    if (state.next[thread] == program.threads[thread].size()) continue;
    ended = false;
    const Access& access = program.threads[thread][state.next[thread]];
    State after = state;
    ++after.next[thread];
    if (access.kind == Access::Write) {
      after.words[access.word] = access.number;
    } else {
      after.registers += register_part(access.number, state.words[access.word]);
    }
    interleave(program, after, outcomes);
  }
  if (!ended) return;
  Outcome outcome = state.registers;
  for (int word = 0; word < program.words; ++word) {
    outcome += word_part(program, word, state.words[word]);
  }
  outcomes->insert(outcome);
}

int digit(Outcome outcome, int place) { return outcome >> (2 * place) & (kValues - 1); }

}  // namespace

bool Program::written_once(int word) const {
  int writes = 0;
  for (const auto& thread : threads) {
    for (const Access& access : thread)
      writes += access.kind == Access::Write && access.word == word;
  }
  return writes == 1;
}

Outcome register_part(int number, int value) { return value << (2 * number); }

Outcome word_part(const Program& program, int word, int value) {
  return register_part(program.registers + word, value);
}

std::string to_text(const Program& program, Outcome outcome) {
  std::string text;
  for (int number = 0; number < program.registers; ++number) {
    text += "r" + std::to_string(number) + "=" + std::to_string(digit(outcome, number)) + " ";
  }
  for (int word = 0; word < program.words; ++word) {
    if (program.written_once(word)) continue;  // the final value is always the same
    text += std::string(1, "xyz"[word]) + "=" +
            std::to_string(digit(outcome, program.registers + word)) + " ";
  }
  text.pop_back();
  return text;
}

const std::vector<Program>& programs() {
  static const std::vector<Program> all = all_programs();
  return all;
}

size_t program_named(const std::string& name) {
  for (size_t k = 0; k < programs().size(); ++k) {
    if (programs()[k].name == name) return k;
  }
  GRAPPA_CHECK(false) << "no litmus test " << name;
  return 0;
}

std::set<Outcome> sequential_outcomes(const Program& program) {
  std::set<Outcome> outcomes;
  interleave(program, {std::vector<size_t>(program.threads.size()), {}, 0}, &outcomes);
  return outcomes;
}

}  // namespace litmus
