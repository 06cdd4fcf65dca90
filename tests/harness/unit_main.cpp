/// The main of tests on one core: no job, no scheduler of the runtime's making. Linked with one
/// room and those below it, so that a symbol which reaches upwards does not link.

#include <glog/logging.h>
#include <gtest/gtest.h>

int main(int argc, char* argv[]) {
  google::InitGoogleLogging(argv[0]);
  FLAGS_logtostderr = true;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
