
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Grappa {

using namespace detail;

namespace {

const size_t kNoLimit = std::numeric_limits<size_t>::max();

TEST(MemoryLimits, PhysicalMemoryIsAtMostTheMemoryOfTheMachine) {
  const size_t machine = static_cast<size_t>(::sysconf(_SC_PHYS_PAGES)) * page_bytes();
  EXPECT_GE(physical_memory_bytes(), MiB);
  EXPECT_LE(physical_memory_bytes(), machine);
}

// Uses a temporary folder with the structure of /sys/fs/cgroup.
class ControlGroups : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/control_groups_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    root_ = name;
  }
  void TearDown() override { ASSERT_EQ(std::system(("rm -r " + root_).c_str()), 0); }

  void group(const std::string& path, const std::string& file, const std::string& text) {
    std::string folder = root_;
    for (size_t begin = 0; begin < path.size();) {
      size_t end = path.find('/', begin);
      if (end == std::string::npos) end = path.size();
      folder += "/" + path.substr(begin, end - begin);
      ::mkdir(folder.c_str(), 0700);
      begin = end + 1;
    }
    std::ofstream(folder + "/" + file) << text << "\n";
  }

  size_t limit(const std::string& membership) {
    std::ofstream(root_ + "/membership") << membership;
    return detail::control_group_limit(root_ + "/membership", root_);
  }

  std::string root_;
};

TEST_F(ControlGroups, TheLowestLimitOfAGroupAndItsParentsApplies) {
  group("batch", "memory.max", "3000000");
  group("batch/job_7", "memory.max", "9000000");
  group("batch/job_7/step_0", "memory.max", "max");
  EXPECT_EQ(3000000u, limit("0::/batch/job_7/step_0\n"));
  group("batch/job_7", "memory.max", "2000000");
  EXPECT_EQ(2000000u, limit("0::/batch/job_7/step_0\n"));
  EXPECT_EQ(3000000u, limit("0::/batch/other\n"));
}

TEST_F(ControlGroups, InVersionOneOnlyTheMemoryControllerApplies) {
  group("memory/slurm/job_7", "memory.limit_in_bytes", "4000000");
  group("cpu/slurm/job_8", "memory.limit_in_bytes", "1");
  const std::string others = "4:cpu,cpuacct:/slurm/job_8\n1:name=systemd:/slurm/job_8\n";
  EXPECT_EQ(4000000u, limit(others + "9:hugetlb,memory:/slurm/job_7\n"));
  EXPECT_EQ(kNoLimit, limit(others));
}

TEST_F(ControlGroups, AHostPathFallsBackToTheGroupsOfTheContainer) {
  group("", "memory.max", "5000000");
  EXPECT_EQ(5000000u, limit("0::/docker/0123456789ab\n"));
  EXPECT_EQ(5000000u, limit("0::/\n"));
}

TEST_F(ControlGroups, WithoutGroupsThereIsNoLimit) {
  EXPECT_EQ(kNoLimit, limit(""));
  EXPECT_EQ(kNoLimit, limit("nothing\n0::/absent\n"));
}

TEST(MemoryLimits, AddressSpaceIsUnlimitedByDefault) {
  rlimit before;
  ASSERT_EQ(0, ::getrlimit(RLIMIT_AS, &before));
  if (before.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "ulimit -v is set";
  EXPECT_EQ(kNoLimit, address_space_left());
}

// Exits with status 0 if mapping memory reduces address_space_left().
void map_with_a_limit() {
  rlimit limit;
  limit.rlim_cur = 1000 * GiB;
  limit.rlim_max = RLIM_INFINITY;
  if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(2);
  const size_t before = address_space_left();
  map_private(GiB);
  const size_t left = address_space_left();
  ::_exit(before < 1000 * GiB && left <= before - GiB && left > before - 2 * GiB ? 0 : 1);
}

TEST(MemoryLimitsDeathTest, MappedMemoryReducesTheAddressSpaceLeft) {
  EXPECT_EXIT(map_with_a_limit(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace Grappa
