/* Trains the tiny package through the C ABI alone: train PACKAGE CHECKPOINT. Exit 0 when all went as documented. */
#include <amp/amp.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, amp_last_error());                                   \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (0)

int main(int argc, char **argv) {
  amp_program *program = NULL;
  amp_trainer *trainer = NULL;
  amp_batch *batch = NULL;
  amp_trainer_options options;
  amp_step_result result;
  amp_tensor weight;
  float x[2 * 64];
  float first_loss;
  float before;
  int32_t labels[2] = {1, 2};
  const uint64_t x_shape[2] = {2, 64};
  const uint64_t label_shape[1] = {2};
  int i;

  CHECK(argc == 3);
  CHECK(amp_program_open("no/such.amp", &program) == AMP_STATUS_NOT_FOUND);
  CHECK(strstr(amp_last_error(), "no/such.amp") != NULL);
  CHECK(amp_program_open(argv[1], &program) == AMP_STATUS_OK);
  CHECK(amp_program_input_count(program, AMP_PHASE_TRAIN) == 2);
  amp_trainer_options_init(&options);
  options.device = "cuda";
  CHECK(amp_trainer_create(program, &options, &trainer) == AMP_STATUS_UNSUPPORTED);
  options.device = "cpu";
  options.threads = 2;
  CHECK(amp_trainer_create(program, &options, &trainer) == AMP_STATUS_OK);
  amp_program_close(program); /* the trainer keeps what it needs */

  for (i = 0; i < 2 * 64; ++i)
    x[i] = 0.01f * (float)i;
  CHECK(amp_batch_create(&batch) == AMP_STATUS_OK);
  CHECK(amp_batch_set(batch, "x", AMP_TYPE_FLOAT32, x_shape, 2, x) == AMP_STATUS_OK);
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  CHECK(amp_trainer_step(trainer, batch, &result) == AMP_STATUS_ARGUMENT);
  CHECK(strstr(amp_last_error(), "'labels'") != NULL);
  CHECK(amp_batch_set(batch, "labels", AMP_TYPE_INT32, label_shape, 1, labels) == AMP_STATUS_OK);

  CHECK(amp_trainer_set_learning_rate(trainer, 0.01f) == AMP_STATUS_OK);
  CHECK(amp_trainer_step(trainer, batch, &result) == AMP_STATUS_OK);
  CHECK(result.stepped == 1 && result.found_inf == 0 && result.scale == 8.0f);
  first_loss = result.loss;
  for (i = 0; i < 20; ++i)
    CHECK(amp_trainer_step(trainer, batch, &result) == AMP_STATUS_OK);
  CHECK(result.loss < first_loss);
  CHECK(amp_trainer_updates(trainer) == 21);

  memset(&weight, 0, sizeof weight);
  weight.size = sizeof weight;
  CHECK(amp_trainer_parameter_count(trainer) == 1);
  CHECK(amp_trainer_parameter(trainer, 0, &weight) == AMP_STATUS_OK);
  CHECK(strcmp(weight.name, "w") == 0 && weight.rank == 1 && weight.shape[0] == 64);
  before = ((const float *)weight.data)[63];
  CHECK(amp_trainer_save(trainer, argv[2]) == AMP_STATUS_OK);
  CHECK(amp_trainer_step(trainer, batch, NULL) == AMP_STATUS_OK);
  CHECK(((const float *)weight.data)[63] != before);
  CHECK(amp_trainer_load(trainer, argv[2]) == AMP_STATUS_OK);
  CHECK(((const float *)weight.data)[63] == before);
  amp_batch_destroy(batch);
  amp_trainer_destroy(trainer);
  return 0;
}
