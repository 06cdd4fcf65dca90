#include "tests/global/litmus/rounds.hpp"

#include <Grappa.hpp>

#include "tests/harness/random.hpp"

#include <algorithm>

namespace litmus {
namespace {

using namespace Grappa;

/// The number of rounds that run concurrently.
constexpr int64_t kBatch = 4000;

// Each core has its own instances.
int64_t words[kBatch][kMostWords];
int64_t outcomes[kBatch];  // only core 0 uses its instance
int64_t noise[64];

/// A batch of rounds. The type is trivially copyable, because closures capture batches.
struct Batch {
  size_t program;
  Way way;
  uint64_t seed;
  int64_t rounds;

  const Program& what() const { return programs()[program]; }

  /// A random generator that yields the same numbers on every core.
  SplitMix64 random(int64_t round, int64_t thread) const {
    return SplitMix64(SplitMix64(seed + static_cast<uint64_t>(round * 8 + thread)).next());
  }
  Core owner(int64_t round, int word) const {
    return static_cast<Core>((random(round, 7).below(cores()) + word) % cores());
  }
  GlobalAddress<int64_t> word(int64_t round, int number) const {
    return make_global(&words[round][number], owner(round, number));
  }
};

void yield_some(int64_t times) {
  for (; times > 0; --times) yield();
}

/// Delays the caller by a random operation, which may also delay other tasks.
void delay(SplitMix64* random) {
  const auto elsewhere =
      make_global(&noise[random->below(64)], static_cast<Core>(random->below(cores())));
  switch (random->below(8)) {
    case 0: return yield_some(1 + random->below(3));
    case 1: return yield_some(random->below(30));
    case 2: delegate::increment(elsewhere, 1); return;
    case 3: delegate::fetch_and_add(elsewhere, random->below(100)); return;
    case 4: return delegate::increment<async>(elsewhere, 5);
    case 5: spawn([elsewhere] { delegate::write(elsewhere, 1); }); return yield();
    default: return;
  }
}

int64_t read(GlobalAddress<int64_t> word, SplitMix64* random) {
  const int64_t turns = random->below(4);
  switch (random->below(4)) {
    case 0: return delegate::call(word, [](int64_t& here) { return here; });
    case 1: return delegate::fetch_and_add(word, 0);
    case 2:
      return delegate::call(word, [turns](int64_t& here) {
        yield_some(turns);
        const int64_t value = here;
        yield_some(turns);
        return value;
      });
    default: return delegate::read(word);
  }
}

void write(GlobalAddress<int64_t> word, int64_t value, bool only_one, SplitMix64* random) {
  const int64_t turns = random->below(4);
  switch (random->below(only_one ? 5 : 3)) {
    case 0: delegate::call(word, [value](int64_t* here) { *here = value; }); return;
    case 1:
      delegate::call(word, [value, turns](int64_t& here) {
        yield_some(turns);
        here = value;
        yield_some(turns);
      });
      return;
    case 2: delegate::write(word, value); return;
    case 3: delegate::fetch_and_add(word, value); return;
    default: GRAPPA_CHECK(delegate::compare_and_swap(word, 0, value)) << "one write only";
  }
}

/// Makes one access by the method `batch.way`.
void make(const Batch& batch, int64_t round, const Access& access, SplitMix64* random) {
  const auto word = batch.word(round, access.word);
  const int number = access.number;
  if (access.kind == Access::Read) {
    const Outcome part = register_part(number, static_cast<int>(read(word, random)));
    delegate::increment<async>(make_global(&outcomes[round], 0), part);
  } else if (batch.way == Way::Blocking || batch.way == Way::Unordered) {
    write(word, number, batch.what().written_once(access.word), random);
  } else {
    delegate::write<async>(word, number);
  }
}

void run_thread(const Batch& batch, int64_t round, int64_t thread) {
  SplitMix64 random = batch.random(round, thread);
  random.next();  // this number has selected the core
  const std::vector<Access>& accesses = batch.what().threads[static_cast<size_t>(thread)];
  for (size_t k = 0; k < accesses.size(); ++k) {
    const Access& access = accesses[k];
    delay(&random);
    if (batch.way == Way::Unordered) {
      const uint64_t seed = random.next();
      spawn([batch, round, access, seed] {
        SplitMix64 own(seed);
        delay(&own);
        make(batch, round, access, &own);
      });
    } else if (batch.way == Way::FinishedAsync && access.kind == Access::Write) {
      finish([&] {
        make(batch, round, accesses[k], &random);
        while (accesses[k].joined) make(batch, round, accesses[++k], &random);
      });
    } else {
      make(batch, round, access, &random);
    }
    delay(&random);
  }
}

/// Runs the threads of this core. Returns when these threads and all work that they started are
/// complete.
void run_threads_here(const Batch& batch) {
  const int64_t threads = static_cast<int64_t>(batch.what().threads.size());
  finish([&] {
    for (int64_t round = 0; round < batch.rounds; ++round) {
      for (int64_t thread = 0; thread < threads; ++thread) {
        if (batch.random(round, thread).below(cores()) != mycore()) continue;
        spawn([batch, round, thread] { run_thread(batch, round, thread); });
      }
    }
  });
}

/// Adds the final values of this core's words to the outcomes.
void add_words_here(const Batch& batch) {
  const Program& program = batch.what();
  for (int64_t round = 0; round < batch.rounds; ++round) {
    for (int number = 0; number < program.words; ++number) {
      if (batch.owner(round, number) != mycore()) continue;
      const Outcome part = word_part(program, number, static_cast<int>(words[round][number]));
      delegate::increment<async>(make_global(&outcomes[round], 0), part);
    }
  }
}

void run_batch(const Batch& batch) {
  on_all_cores([] {
    std::fill_n(&words[0][0], kBatch * kMostWords, 0);
    std::fill_n(outcomes, kBatch, 0);
  });
  on_all_cores([batch] { run_threads_here(batch); });
  on_all_cores([batch] { add_words_here(batch); });
}

}  // namespace

std::map<Outcome, int64_t> run_rounds(size_t program, Way way, int64_t rounds, uint64_t seed) {
  std::map<Outcome, int64_t> seen;
  SplitMix64 seeds(seed);
  for (int64_t done = 0; done < rounds; done += kBatch) {
    const Batch batch = {program, way, seeds.next(), std::min(kBatch, rounds - done)};
    run_batch(batch);
    for (int64_t round = 0; round < batch.rounds; ++round) {
      ++seen[static_cast<Outcome>(outcomes[round])];
    }
  }
  return seen;
}

}  // namespace litmus
