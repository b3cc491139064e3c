/* Trains a package with amp.h: train_c MODEL.amp FOLDER STEPS. The folder holds a batch, one file an input:
 * FOLDER/NAME.bin has the values in C order and in the input's type. Works for every package, whatever its inputs are
 * called. */
#include <amp/amp.h>

#include <stdio.h>
#include <stdlib.h>

enum { most_inputs = 16, path_bytes = 4096 };

static void fail(const char *what, const char *why) {
  fprintf(stderr, "train_c: error: %s: %s\n", what, why);
  exit(1);
}

/* Every failure of amp has a text for the user. */
static void check(amp_status status) {
  if (status != AMP_STATUS_OK)
    fail(amp_status_name(status), amp_last_error());
}

static void *read_values(const char *folder, const amp_tensor *input) {
  char path[path_bytes];
  snprintf(path, sizeof path, "%s/%s.bin", folder, input->name);
  FILE *file = fopen(path, "rb");
  void *values = malloc((size_t)input->bytes + 1);
  if (!file || !values || fread(values, 1, (size_t)input->bytes + 1, file) != input->bytes)
    fail(path, "does not hold the values of one batch");
  fclose(file);
  return values;
}

/* Gives the batch every input of the package; it borrows the values, which the caller frees. */
static size_t fill_batch(const amp_program *program, const char *folder, amp_batch *batch, void *values[most_inputs]) {
  size_t count = amp_program_input_count(program, AMP_PHASE_TRAIN);
  if (count > most_inputs)
    fail("package", "has more inputs than this program expects");
  for (size_t i = 0; i < count; ++i) {
    amp_tensor input = {.size = sizeof input};
    check(amp_program_input(program, AMP_PHASE_TRAIN, i, &input));
    values[i] = read_values(folder, &input);
    check(amp_batch_set(batch, input.name, input.type, input.shape, input.rank, values[i]));
  }
  return count;
}

static void train(amp_trainer *trainer, const amp_batch *batch, int steps) {
  for (int step = 1; step <= steps; ++step) {
    amp_step_result result = {.size = sizeof result};
    check(amp_trainer_step(trainer, batch, &result));
    printf("step %d loss %.9g%s\n", step, (double)result.loss, result.stepped ? "" : " skipped");
  }
}

/* Saves, takes one step too many, goes back, and looks at the outputs. */
static void save_and_go_back(amp_trainer *trainer, const amp_batch *batch, const char *folder) {
  char checkpoint[path_bytes];
  float loss;
  snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint-c", folder);
  check(amp_trainer_save(trainer, checkpoint));
  check(amp_trainer_step(trainer, batch, NULL));
  check(amp_trainer_load(trainer, checkpoint));
  check(amp_trainer_evaluate(trainer, batch, &loss));
  printf("loss %.9g after %lld updates\n", (double)loss, (long long)amp_trainer_updates(trainer));
  for (size_t i = 0; i < amp_trainer_output_count(trainer); ++i) {
    amp_tensor output = {.size = sizeof output};
    uint64_t elements = 1;
    check(amp_trainer_output(trainer, i, &output));
    for (size_t axis = 0; axis < output.rank; ++axis)
      elements *= output.shape[axis];
    printf("output %s: %llu elements\n", output.name, (unsigned long long)elements);
  }
}

int main(int argc, char **argv) {
  amp_program *program;
  amp_trainer *trainer;
  amp_batch *batch;
  amp_trainer_options options;
  void *values[most_inputs];
  size_t count;

  if (argc != 4) {
    fprintf(stderr, "usage: train_c MODEL.amp FOLDER STEPS\n");
    return 1;
  }
  check(amp_program_open(argv[1], &program)); /* trust its code: it runs in this process */
  amp_trainer_options_init(&options);
  options.threads = 2; /* changes no bit of the results */
  options.seed = 1;
  check(amp_trainer_create(program, &options, &trainer));
  check(amp_batch_create(&batch));
  count = fill_batch(program, argv[2], batch, values);

  train(trainer, batch, atoi(argv[3]));
  save_and_go_back(trainer, batch, argv[2]);

  amp_batch_destroy(batch);
  amp_trainer_destroy(trainer);
  amp_program_close(program);
  while (count > 0)
    free(values[--count]);
  return 0;
}
