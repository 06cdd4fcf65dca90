#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

constexpr int64_t kCount = 10000;
constexpr int64_t kKeys = 97;

int64_t key_of(int64_t i) { return i * i % kKeys; }

void sum_squares(int rank, int64_t first, int64_t last) {
  // Each rank sums its share; MPI_Allreduce sums the results.
  int64_t mine = 0, sum = 0;
  for (int64_t i = first; i < last; ++i) mine += i * i;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::cout << "sum of squares: " << sum << std::endl;
}

void hear_neighbours(int rank, int ranks) {
  // Each rank sends to its right neighbour and receives from its left neighbour.
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  int from_left;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &from_left, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  int good = from_left == left, all_good;
  MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (rank == 0) std::cout << "heard from the left: " << all_good << std::endl;
}

void count_keys(int rank, int ranks, int64_t first, int64_t last) {
  // Each key is sent to the rank that counts it.
  std::vector<std::vector<int64_t>> bins(ranks);
  for (int64_t i = first; i < last; ++i) bins[key_of(i) % ranks].push_back(key_of(i));
  std::vector<int64_t> outgoing;
  std::vector<int> sizes, starts, sizes_here(ranks), starts_here(ranks);
  for (const std::vector<int64_t>& bin : bins) {
    starts.push_back(static_cast<int>(outgoing.size()));
    sizes.push_back(static_cast<int>(bin.size()));
    outgoing.insert(outgoing.end(), bin.begin(), bin.end());
  }
  MPI_Alltoall(sizes.data(), 1, MPI_INT, sizes_here.data(), 1, MPI_INT, MPI_COMM_WORLD);
  int total = 0;
  for (int r = 0; r < ranks; ++r) {
    starts_here[r] = total;
    total += sizes_here[r];
  }
  std::vector<int64_t> arrived(total);
  MPI_Alltoallv(outgoing.data(), sizes.data(), starts.data(), MPI_INT64_T, arrived.data(),
                sizes_here.data(), starts_here.data(), MPI_INT64_T, MPI_COMM_WORLD);
  std::vector<int64_t> counts(kKeys / ranks + 1);
  for (int64_t key : arrived) ++counts[key / ranks];

  const int64_t most_here = *std::max_element(counts.begin(), counts.end());
  int64_t most;
  MPI_Reduce(&most_here, &most, 1, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) std::cout << "most frequent: " << most << " times" << std::endl;
}

void draw_tickets(int rank, int64_t first, int64_t last) {
  // Tickets from a counter on rank 0.
  int64_t* counter;
  MPI_Win window;
  MPI_Win_allocate(rank == 0 ? sizeof *counter : 0, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &counter, &window);
  if (rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  const int64_t one = 1;
  int64_t mine = 0, sum = 0;
  for (int64_t i = first; i < last; ++i) {
    int64_t ticket;
    MPI_Fetch_and_op(&one, &ticket, MPI_INT64_T, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    mine += ticket;
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Reduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::cout << "sum of tickets: " << sum << std::endl;
}

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t first = kCount * rank / ranks, last = kCount * (rank + 1) / ranks;
  sum_squares(rank, first, last);
  hear_neighbours(rank, ranks);
  count_keys(rank, ranks, first, last);
  draw_tickets(rank, first, last);
  return MPI_Finalize();
}
