/* The C ABI of the amp runtime: open a package that amp-compile wrote, train it, evaluate it, keep checkpoints.
 *
 * Failure    Every function that can fail returns an amp_status. amp_last_error() gives the text of the last failure
 *            on the calling thread, in words for the user. No exception crosses this header, nothing is printed, and
 *            nothing aborts. What a failing function would have written through its pointers is unchanged, unless its
 *            comment says otherwise.
 * Ownership  What a *_create or *_open function gives, the caller gives back to the matching *_destroy or *_close.
 *            Pointers that other functions give are borrowed: the comment says until when.
 * Threads    A handle is used by one thread at a time; different handles are independent.
 * Structs    Structs begin with `size`: set it to sizeof the struct before a call, so that a program compiled against
 *            an older header keeps working. Fields are only ever added at the end.
 * Trust      Opening a package checks it for damage. Creating a trainer loads its native code into the process: do so
 *            only with packages that you trust.
 */
#ifndef AMP_AMP_H
#define AMP_AMP_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define AMP_API __attribute__((visibility("default")))
#else
#define AMP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ---- */

typedef enum amp_status {
  AMP_STATUS_OK = 0,
  AMP_STATUS_ARGUMENT = 1,    /* what the caller passed does not fit: name, type, shape, value */
  AMP_STATUS_NOT_FOUND = 2,   /* a file, tensor or program that is not there */
  AMP_STATUS_DAMAGED = 3,     /* a file that does not agree with itself */
  AMP_STATUS_VERSION = 4,     /* a file of another version of amp */
  AMP_STATUS_UNSUPPORTED = 5, /* this machine or build lacks what is asked for */
  AMP_STATUS_IO = 6,          /* the operating system refused: disk full, permission */
  AMP_STATUS_NONFINITE = 7,   /* training went non-finite and the package's policy ends it */
  AMP_STATUS_MEMORY = 8,      /* not enough memory */
  AMP_STATUS_INTERNAL = 9     /* a fault of amp: please report it */
} amp_status;

/* One lower-case word for a status: "ok", "argument", "not-found" ... Lives for ever. */
AMP_API const char *amp_status_name(amp_status status);
/* The text of the last failure on this thread; "" before the first. Valid until the next failure on this thread. */
AMP_API const char *amp_last_error(void);
/* "0.1.0". Lives for ever. */
AMP_API const char *amp_version(void);

/* ---- Tensors ---- */

typedef enum amp_type {
  AMP_TYPE_FLOAT32 = 0,
  AMP_TYPE_BFLOAT16 = 1,
  AMP_TYPE_FLOAT16 = 2,
  AMP_TYPE_FLOAT64 = 3,
  AMP_TYPE_INT64 = 4,
  AMP_TYPE_INT32 = 5,
  AMP_TYPE_INT8 = 6,
  AMP_TYPE_UINT8 = 7,
  AMP_TYPE_BOOL = 8 /* one byte, 0 or 1 */
} amp_type;

/* A tensor in C order (the last dimension is contiguous). All pointers are borrowed. */
typedef struct amp_tensor {
  size_t size;      /* sizeof(amp_tensor) */
  const char *name; /* as in the ONNX model */
  amp_type type;
  size_t rank;           /* 0: a scalar */
  const uint64_t *shape; /* `rank` dimensions; may be null when rank is 0 */
  const void *data;      /* null where a function describes a tensor only */
  uint64_t bytes;        /* of the data */
} amp_tensor;

/* ---- Programs ---- */

/* A package, opened and checked; immutable, may be shared by trainers of several threads. */
typedef struct amp_program amp_program;

typedef enum amp_phase { AMP_PHASE_TRAIN = 0, AMP_PHASE_EVALUATE = 1 } amp_phase;

typedef struct amp_program_info {
  size_t size;           /* sizeof(amp_program_info) */
  const char *producer;  /* "amp 0.1.0" */
  const char *model;     /* file name of the ONNX model */
  const char *precision; /* "fp32", "bf16", "fp16" */
  const char *optimizer; /* as --optimizer was understood */
  const char *loss;      /* as --loss was understood */
  float learning_rate;   /* that training starts with */
} amp_program_info;

/* Opens and checks a package; runs nothing of it. NOT_FOUND, IO, DAMAGED, VERSION. */
AMP_API amp_status amp_program_open(const char *path, amp_program **program);
/* Null is fine. Trainers made from the program keep what they need: they stay valid. */
AMP_API void amp_program_close(amp_program *program);
/* Texts are borrowed until the program is closed. ARGUMENT. */
AMP_API amp_status amp_program_describe(const amp_program *program, amp_program_info *info);
/* How many tensors a batch needs in a phase, labels included; 0 when the package has no such phase. */
AMP_API size_t amp_program_input_count(const amp_program *program, amp_phase phase);
/* Name, type and shape of one of them (data is null); borrowed until the program is closed. ARGUMENT. */
AMP_API amp_status amp_program_input(const amp_program *program, amp_phase phase, size_t index, amp_tensor *input);
/* What an evaluation gives: the model's own outputs and "loss"; 0 when the package does not evaluate. */
AMP_API size_t amp_program_output_count(const amp_program *program);
/* Name, type and shape of one of them (data is null); borrowed until the program is closed. ARGUMENT. */
AMP_API amp_status amp_program_output(const amp_program *program, size_t index, amp_tensor *output);

/* ---- Batches ---- */

/* Named tensors for a step, by reference. */
typedef struct amp_batch amp_batch;

/* An empty one. ARGUMENT, MEMORY. */
AMP_API amp_status amp_batch_create(amp_batch **batch);
/* Null is fine. */
AMP_API void amp_batch_destroy(amp_batch *batch);
/* Adds a tensor, or replaces the one of that name. `data` holds product(shape) elements in C order at any alignment and
 * is borrowed until the step that uses it has returned; name and shape are copied. Float tensors must have the type
 * that the package was compiled for; integers are converted where their values fit. ARGUMENT. */
AMP_API amp_status amp_batch_set(amp_batch *batch, const char *name, amp_type type, const uint64_t *shape, size_t rank,
                                 const void *data);
/* Forgets all tensors; null is fine. */
AMP_API void amp_batch_clear(amp_batch *batch);

/* ---- Trainers ---- */

/* The state of one training: weights, optimizer, loss scale; and the threads that run it. */
typedef struct amp_trainer amp_trainer;

typedef struct amp_trainer_options {
  size_t size;        /* sizeof(amp_trainer_options) */
  const char *device; /* "auto" or "cpu"; null is "auto" */
  uint32_t threads;   /* 0: one a CPU. Results are bitwise the same at any number */
  int64_t seed;       /* of dropout and other random operators */
} amp_trainer_options;

/* Sets size and the defaults: device "auto", threads 0, seed 0. */
AMP_API void amp_trainer_options_init(amp_trainer_options *options);

typedef struct amp_step_result {
  size_t size;         /* sizeof(amp_step_result) */
  float loss;          /* mean (or sum, as compiled) over the batch, unscaled */
  float grad_norm;     /* 2-norm of all gradients, unscaled, before clipping; NaN where the package computes none */
  float scale;         /* loss scale that this step used; 1 without one */
  float learning_rate; /* that this step used */
  int32_t stepped;     /* 1: the weights were updated */
  int32_t found_inf;   /* 1: a gradient or the loss was not finite */
} amp_step_result;

typedef struct amp_memory_report {
  size_t size;              /* sizeof(amp_memory_report) */
  uint64_t state_bytes;     /* weights, optimizer state, gradients, low-precision copies */
  uint64_t scratch_bytes;   /* activations and other intermediates of a step */
  uint64_t workspace_bytes; /* of the kernels, all threads together */
  uint64_t input_bytes;     /* copies of inputs that were converted or aligned so far */
  uint64_t peak_bytes;      /* the sum: all that a step needs beside the batch itself */
} amp_memory_report;

/* Loads the package's code and makes its initial state. `options` may be null. UNSUPPORTED (the message names the
 * missing CPU feature or device), MEMORY, ARGUMENT. The program may be closed afterwards. */
AMP_API amp_status amp_trainer_create(const amp_program *program, const amp_trainer_options *options,
                                      amp_trainer **trainer);
/* Null is fine. */
AMP_API void amp_trainer_destroy(amp_trainer *trainer);

/* One training step on one batch. `result` may be null. ARGUMENT: the batch does not fit; nothing has changed.
 * NONFINITE: the 20th skipped step in a row, or the first under --nonfinite=stop; the weights are unchanged, and
 * `result` is written in this case too. A single skipped step is OK with stepped = 0. */
AMP_API amp_status amp_trainer_step(amp_trainer *trainer, const amp_batch *batch, amp_step_result *result);
/* Forward and loss with the current weights; changes nothing. Labels may be left out of the batch: the loss is NaN
 * then. `loss` may be null. ARGUMENT, NOT_FOUND. */
AMP_API amp_status amp_trainer_evaluate(amp_trainer *trainer, const amp_batch *batch, float *loss);
/* The outputs of the last evaluation, the model's own and "loss". Data are borrowed until the next call that takes
 * this trainer and is not one of these two. */
AMP_API size_t amp_trainer_output_count(const amp_trainer *trainer);
AMP_API amp_status amp_trainer_output(const amp_trainer *trainer, size_t index, amp_tensor *output);

/* Used from the next step on; 0 or more. ARGUMENT. */
AMP_API amp_status amp_trainer_set_learning_rate(amp_trainer *trainer, float rate);
/* The rate that the next step will use. */
AMP_API float amp_trainer_learning_rate(const amp_trainer *trainer);
/* The scale that the next step will use; 1 without loss scaling. */
AMP_API float amp_trainer_loss_scale(const amp_trainer *trainer);
/* Updates that were taken, and steps that were tried (skipped ones included), since the beginning of the training. */
AMP_API int64_t amp_trainer_updates(const amp_trainer *trainer);
AMP_API int64_t amp_trainer_attempts(const amp_trainer *trainer);

/* Trained tensors in the ONNX layout, fp32 masters. Data are borrowed: they change with every step and load, and the
 * pointers live as long as the trainer. ARGUMENT. */
AMP_API size_t amp_trainer_parameter_count(const amp_trainer *trainer);
AMP_API amp_status amp_trainer_parameter(const amp_trainer *trainer, size_t index, amp_tensor *parameter);
/* Running statistics, such as the mean and variance of a batch normalisation; borrowed alike. ARGUMENT. */
AMP_API size_t amp_trainer_statistic_count(const amp_trainer *trainer);
AMP_API amp_status amp_trainer_statistic(const amp_trainer *trainer, size_t index, amp_tensor *statistic);
/* Writes a parameter or a running statistic; `bytes` must be the tensor's. Low-precision copies are remade. ARGUMENT,
 * NOT_FOUND. */
AMP_API amp_status amp_trainer_write_parameter(amp_trainer *trainer, const char *name, const void *data,
                                               uint64_t bytes);
/* Every parameter has one gradient. Copies it as the last step computed it: fp32, unscaled, before clipping. `bytes`
 * must be the gradient's, 4 an element. ARGUMENT, NOT_FOUND. */
AMP_API amp_status amp_trainer_read_gradient(const amp_trainer *trainer, const char *parameter, float *to,
                                             uint64_t bytes);

/* A text of the application that travels with checkpoints, such as the position of its loader. UTF-8, copied.
 * ARGUMENT. */
AMP_API amp_status amp_trainer_set_text(amp_trainer *trainer, const char *key, const char *text);
/* The text of a key, or null; borrowed until texts are set or a checkpoint is loaded. */
AMP_API const char *amp_trainer_text(const amp_trainer *trainer, const char *key);
/* Saves everything that a bit-exact continuation needs as a directory. A checkpoint that is there is replaced in one
 * step; after a failure it is whole. IO, ARGUMENT. */
AMP_API amp_status amp_trainer_save(amp_trainer *trainer, const char *directory);
/* Continues from a checkpoint of the same model and optimizer. All that does not fit is listed in one message, and then
 * nothing has changed. NOT_FOUND, DAMAGED, VERSION, ARGUMENT. */
AMP_API amp_status amp_trainer_load(amp_trainer *trainer, const char *directory);

/* What the trainer holds and a step needs. ARGUMENT. */
AMP_API amp_status amp_trainer_memory(const amp_trainer *trainer, amp_memory_report *report);

#ifdef __cplusplus
}
#endif

#endif /* AMP_AMP_H */
