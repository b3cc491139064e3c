// Trains a package with amp.hpp: train_cpp MODEL.amp FOLDER STEPS. The folder holds a batch, one file an input:
// FOLDER/x.bin has float32 values in C order, FOLDER/labels.bin int64 ones.
#include <amp/amp.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace {

template <typename T> std::vector<T> readValues(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error(path + " cannot be read");
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.begin() + std::ptrdiff_t(values.size() * sizeof(T)),
            reinterpret_cast<char *>(values.data()));
  return values;
}

/// The shape of an input of the package, whose data must have as many elements.
std::vector<uint64_t> shapeOf(const amp::Program &program, const std::string &name, size_t elements) {
  for (const amp::Tensor &input : program.inputs())
    if (input.name == name && input.count() == elements)
      return input.shape;
  throw std::runtime_error("the package has no input " + name + " of " + std::to_string(elements) + " elements");
}

void train(const std::string &package, const std::string &folder, int steps) {
  amp::Program program = amp::Program::open(package); // trust its code: it runs in this process
  amp::TrainerOptions options;
  options.threads = 2; // changes no bit of the results
  options.seed = 1;
  amp::Trainer trainer(program, options);

  // The batch borrows the vectors: new values written into them are the next step's.
  std::vector<float> images = readValues<float>(folder + "/x.bin");
  std::vector<int64_t> labels = readValues<int64_t>(folder + "/labels.bin");
  amp::Batch batch;
  batch.set("x", images.data(), shapeOf(program, "x", images.size()));
  batch.set("labels", labels.data(), shapeOf(program, "labels", labels.size()));

  for (int step = 1; step <= steps; ++step) {
    amp::StepResult result = trainer.step(batch);
    std::printf("step %d loss %.9g%s\n", step, result.loss, result.stepped ? "" : " skipped");
  }
  trainer.save(folder + "/checkpoint-cpp");

  // Another trainer goes on from there, here to look at the outputs; without a throw where there is a choice.
  amp::Trainer other(program, options);
  amp::Outcome<amp::Done> loaded = other.tryLoad(folder + "/checkpoint-cpp");
  if (!loaded)
    throw loaded.error();
  amp::Evaluation evaluation = other.evaluate(batch);
  std::printf("loss %.9g after %lld updates\n", evaluation.loss, static_cast<long long>(other.updates()));
  for (const amp::Tensor &output : evaluation.outputs)
    std::printf("output %s: %llu elements\n", output.name.c_str(), static_cast<unsigned long long>(output.count()));
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: train_cpp MODEL.amp FOLDER STEPS\n");
    return 1;
  }
  try {
    train(argv[1], argv[2], std::atoi(argv[3]));
    return 0;
  } catch (const std::exception &error) { // amp::Error is one; its status() says which kind
    std::fprintf(stderr, "train_cpp: error: %s\n", error.what());
    return 1;
  }
}
