/// The main of tests on one core, without a job and without the runtime. Each test links one module
/// and the lower layers, so a reference to a symbol of a higher layer fails at link time.

#include <glog/logging.h>
#include <gtest/gtest.h>

int main(int argc, char* argv[]) {
  google::InitGoogleLogging(argv[0]);
  FLAGS_logtostderr = true;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
