/* Trains a package of LeNet on MNIST with nothing but the C ABI of amp.
 *
 *   amp-compile lenet.onnx --batch=32 --optimizer=sgd:lr=0.02,momentum=0.9 -o lenet.amp
 *   cc train_lenet.c -lamp -o train_lenet && ./train_lenet lenet.amp mnist 5
 *
 * The folder holds the four IDX files of MNIST, uncompressed. */
#include <amp/amp.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { pixels = 28 * 28, classes = 10, imagesHeader = 16, labelsHeader = 8 };

typedef struct Digits {
  float *images; /* count * pixels, 0 to 1 */
  int64_t *labels;
  size_t count;
} Digits;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "train_lenet: error: %s: %s\n", what, why);
  exit(1);
}

static void check(amp_status status, const char *what) {
  if (status != AMP_STATUS_OK)
    fail(what, amp_last_error());
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory)
    fail("memory", "not enough");
  return memory;
}

/* The bytes of a file behind its header. */
static unsigned char *readFile(const char *folder, const char *name, size_t header, size_t *bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    fail(path, "cannot be read");
  long size = ftell(file);
  if (size < (long)header || fseek(file, (long)header, SEEK_SET) != 0)
    fail(path, "is shorter than its header");
  *bytes = (size_t)size - header;
  unsigned char *content = allocate(*bytes + 1);
  if (fread(content, 1, *bytes, file) != *bytes)
    fail(path, "cannot be read");
  fclose(file);
  return content;
}

static Digits readDigits(const char *folder, const char *images, const char *labels) {
  size_t imageBytes, count;
  unsigned char *rawImages = readFile(folder, images, imagesHeader, &imageBytes);
  unsigned char *rawLabels = readFile(folder, labels, labelsHeader, &count);
  if (imageBytes != count * pixels)
    fail(images, "holds another number of images than there are labels");
  Digits digits = {allocate(imageBytes * sizeof(float)), allocate(count * sizeof(int64_t)), count};
  for (size_t i = 0; i < imageBytes; ++i)
    digits.images[i] = (float)rawImages[i] / 255.0f;
  for (size_t i = 0; i < count; ++i)
    digits.labels[i] = rawLabels[i];
  free(rawImages);
  free(rawLabels);
  return digits;
}

static void freeDigits(Digits digits) {
  free(digits.images);
  free(digits.labels);
}

/* A random order of `count` numbers (Fisher and Yates, with a small linear generator). */
static void shuffle(size_t *order, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; ++i)
    order[i] = i;
  for (size_t i = count; i > 1; --i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    size_t other = (size_t)((seed >> 33) % i), kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
}

typedef struct Training {
  amp_trainer *trainer;
  amp_batch *batch;
  size_t batchSize;
  float *images; /* one batch; borrowed by it */
  int64_t *labels;
} Training;

static Training startTraining(const char *package) {
  Training training;
  amp_program *program;
  check(amp_program_open(package, &program), package);
  amp_tensor input = {sizeof input, NULL, AMP_TYPE_FLOAT32, 0, NULL, NULL, 0};
  check(amp_program_input(program, AMP_PHASE_TRAIN, 0, &input), "first input");
  if (input.rank != 4 || input.bytes != input.shape[0] * pixels * sizeof(float))
    fail(input.name, "is no batch of images of 28x28");
  training.batchSize = (size_t)input.shape[0];
  training.images = allocate(training.batchSize * pixels * sizeof(float));
  training.labels = allocate(training.batchSize * sizeof(int64_t));

  check(amp_batch_create(&training.batch), "batch");
  check(amp_batch_set(training.batch, input.name, AMP_TYPE_FLOAT32, input.shape, input.rank, training.images),
        "images");
  uint64_t count = training.batchSize;
  check(amp_batch_set(training.batch, "labels", AMP_TYPE_INT64, &count, 1, training.labels), "labels");

  amp_trainer_options options;
  amp_trainer_options_init(&options);
  options.device = "cpu";
  check(amp_trainer_create(program, &options, &training.trainer), "trainer");
  amp_program_close(program);
  return training;
}

static void endTraining(Training training) {
  amp_trainer_destroy(training.trainer);
  amp_batch_destroy(training.batch);
  free(training.images);
  free(training.labels);
}

static void fillBatch(Training training, Digits digits, const size_t *order, size_t first) {
  for (size_t i = 0; i < training.batchSize; ++i) {
    memcpy(training.images + i * pixels, digits.images + order[first + i] * pixels, pixels * sizeof(float));
    training.labels[i] = digits.labels[order[first + i]];
  }
}

/* The mean loss of an epoch; a last batch that is short is left out. */
static double trainEpoch(Training training, Digits digits, size_t *order, int epoch) {
  double sum = 0;
  size_t steps = digits.count / training.batchSize;
  shuffle(order, digits.count, (uint64_t)epoch);
  for (size_t step = 0; step < steps; ++step) {
    amp_step_result result = {.size = sizeof result};
    fillBatch(training, digits, order, step * training.batchSize);
    check(amp_trainer_step(training.trainer, training.batch, &result), "step");
    sum += result.loss;
  }
  return sum / (double)steps;
}

static size_t countRight(Training training) {
  amp_tensor logits = {.size = sizeof logits};
  size_t right = 0;
  check(amp_trainer_evaluate(training.trainer, training.batch, NULL), "evaluation");
  check(amp_trainer_output(training.trainer, 0, &logits), "output");
  const float *values = logits.data;
  for (size_t i = 0; i < training.batchSize; ++i) {
    int64_t best = 0;
    for (int64_t c = 1; c < classes; ++c)
      if (values[i * classes + c] > values[i * classes + best])
        best = c;
    right += best == training.labels[i];
  }
  return right;
}

/* The part of the images, whole batches of them, that the network recognises. */
static double accuracy(Training training, Digits digits, const size_t *order) {
  size_t right = 0, batches = digits.count / training.batchSize;
  for (size_t batch = 0; batch < batches; ++batch) {
    fillBatch(training, digits, order, batch * training.batchSize);
    right += countRight(training);
  }
  return (double)right / (double)(batches * training.batchSize);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: train_lenet LENET.amp MNIST-FOLDER EPOCHS\n");
    return 1;
  }
  Training training = startTraining(argv[1]);
  Digits train = readDigits(argv[2], "train-images-idx3-ubyte", "train-labels-idx1-ubyte");
  Digits test = readDigits(argv[2], "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
  if (train.count < training.batchSize || test.count < training.batchSize)
    fail(argv[2], "holds less than a batch of images");
  size_t most = train.count > test.count ? train.count : test.count;
  size_t *order = allocate(most * sizeof *order), *inOrder = allocate(most * sizeof *inOrder);
  for (size_t i = 0; i < most; ++i)
    inOrder[i] = i;
  for (int epoch = 1; epoch <= atoi(argv[3]); ++epoch) {
    double loss = trainEpoch(training, train, order, epoch);
    printf("epoch %d loss %.4f accuracy %.4f\n", epoch, loss, accuracy(training, test, inOrder));
  }
  free(order);
  free(inOrder);
  freeDigits(train);
  freeDigits(test);
  endTraining(training);
  return 0;
}
