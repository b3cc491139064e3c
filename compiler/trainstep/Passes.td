#ifndef AMP_COMPILER_TRAINSTEP_PASSES
#define AMP_COMPILER_TRAINSTEP_PASSES

include "mlir/Pass/PassBase.td"

// In the order in which they run.

def BuildLossPass : Pass<"amp-trainstep-build-loss", "::mlir::ModuleOp"> {
  let summary = "Adds the loss to the model";
  let description = [{
    Precondition: one program of kind model, static types. Postcondition: its last output is `loss`, a scalar f32; a
    loss that compares has the input `labels`, the last one, with the limit of its values.
    Refuses an output that does not exist, a class axis outside the rank, and, with `auto`, a model whose outputs do not
    decide: a scalar is minimised, rank 2 or more gets cross-entropy. A remark says what was decided.
  }];
  let options = [
    Option<"loss", "loss", "std::string", "\"auto\"", "auto, cross-entropy, mse, or output (minimises a scalar)">,
    Option<"of", "of", "std::string", "", "Output that the loss reads; empty: the only one">,
    Option<"reduction", "reduction", "std::string", "\"mean\"", "mean or sum">,
    Option<"axis", "axis", "std::string", "\"auto\"", "Class axis; auto: 1, but the last for rank 3">,
    Option<"ignoreIndex", "ignore-index", "int64_t", "-100", "Label whose samples do not count">,
  ];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::train::TrainDialect"];
}

def SelectParametersPass : Pass<"amp-trainstep-select-parameters", "::mlir::ModuleOp"> {
  let summary = "Makes parameters of the states that the loss reaches";
  let description = [{
    A float state of role frozen from which the loss is reached through float values gets the role parameter. With
    `trainable` only what it names, without what `freeze` names; both are regular expressions over state names, found
    anywhere in them. Precondition: the model's last output is the loss. Postcondition: at least one parameter.
    Refuses an expression that is none, one that names nothing, and a model that is left without a parameter.
  }];
  let options = [
    Option<"freeze", "freeze", "std::string", "", "Regular expression of initializers that do not train">,
    Option<"trainable", "trainable", "std::string", "", "Regular expression of the only initializers that train">,
  ];
  let dependentDialects = ["::amp::train::TrainDialect"];
  let statistics = [Statistic<"parameterCount", "parameters", "States that train">];
}

def DeclareStatesPass : Pass<"amp-trainstep-declare-states", "::mlir::ModuleOp"> {
  let summary = "Declares the states that every step has";
  let description = [{
    learning_rate, loss_scale, step_count, seed, loss, and growth_tracker where the loss scale moves. A name that the
    model has taken gets a suffix; the role is what finds a state. Precondition: none of these roles is there.
  }];
  let options = [
    Option<"learningRate", "lr", "double", "0.01", "Initial learning rate">,
    Option<"lossScale", "loss-scale", "std::string", "\"none\"", "none, static or dynamic">,
    Option<"initialScale", "init", "double", "65536", "Initial loss scale, static or dynamic">,
  ];
  let dependentDialects = ["::amp::train::TrainDialect"];
}

def BuildMicroPass : Pass<"amp-trainstep-build-micro", "::mlir::ModuleOp"> {
  let summary = "Builds the program of a micro-batch: forward, loss, backward";
  let description = [{
    A copy of the model whose only output is the loss, in its training mode: dropout keyed by seed and step count, batch
    normalisation by the batch, its next running statistics committed to "<statistic>/pending". Then its gradients by
    reverse mode, seeded with the loss scale. Gradients that meet are added in fp32. Commits every parameter's
    gradient, still scaled, and the loss. Precondition: parameters and well-known states. Refuses, all at once, the ops
    on the way from a parameter to the loss that have no gradient.
  }];
  let options = [
    Option<"dropout", "dropout", "bool", "true", "Whether dropout drops">,
    Option<"batchnormVariance", "batchnorm-variance", "std::string", "\"population\"",
           "Which variance running statistics take: population or sample">,
    Option<"freeze", "freeze", "std::string", "", "Regular expression of running statistics that do not move">,
  ];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::train::TrainDialect"];
}

def BuildFinishPass : Pass<"amp-trainstep-build-finish", "::mlir::ModuleOp"> {
  let summary = "Builds the program of an update";
  let description = [{
    Unscales the gradients, tests and measures them, updates every parameter and its moments, lets running statistics
    become what is pending, counts the step and moves the loss scale. All commits but the loss scale's and its
    tracker's are predicated on "finite", unless nonfinite is ignore. Precondition: gradient states
    (amp-trainstep-build-micro).
  }];
  let options = [
    Option<"optimizer", "optimizer", "std::string", "\"sgd\"", "sgd, adam or adamw">,
    Option<"momentum", "momentum", "double", "0", "SGD">,
    Option<"dampening", "dampening", "double", "0", "SGD">,
    Option<"nesterov", "nesterov", "bool", "false", "SGD">,
    Option<"beta1", "beta1", "double", "0.9", "Adam">,
    Option<"beta2", "beta2", "double", "0.999", "Adam">,
    Option<"eps", "eps", "double", "1e-8", "Adam">,
    Option<"weightDecay", "weight-decay", "double", "0", "L2 for sgd and adam, decoupled for adamw">,
    Option<"growth", "growth", "double", "2", "Factor after `interval` good updates">,
    Option<"backoff", "backoff", "double", "0.5", "Factor after an update that is not finite">,
    Option<"interval", "interval", "int64_t", "2000", "Good updates before the scale grows">,
    Option<"minScale", "min", "double", "1", "Least loss scale">,
    Option<"maxScale", "max", "double", "3.4028234663852886e38", "Largest loss scale">,
    Option<"nonfinite", "nonfinite", "std::string", "\"skip\"", "skip, stop or ignore">,
  ];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::train::TrainDialect"];
}

def BuildEvalPass : Pass<"amp-trainstep-build-eval", "::mlir::ModuleOp"> {
  let summary = "Turns the model into the program of an evaluation";
  let description = [{
    Every op enters its evaluation mode: dropout becomes the identity, batch normalisation reads what is committed of
    its running statistics. Precondition: micro is built. Postcondition: no program of kind model.
  }];
  let dependentDialects = ["::amp::train::TrainDialect"];
}

def BuildDerivePass : Pass<"amp-trainstep-build-derive", "::mlir::ModuleOp"> {
  let summary = "Adds the program that remakes derived state";
  let description = "Empty here: autocast and select add what they derive.";
  let dependentDialects = ["::amp::train::TrainDialect"];
}

def VerifyPass : Pass<"amp-trainstep-verify", "::mlir::ModuleOp"> {
  let summary = "Checks the contract of trainstep";
  let description = [{
    One program each of micro, finish, eval and derive, none of kind model. Well-known states exist once. Every
    parameter has one gradient state "<parameter>/gradient" of its type, committed by micro; finish commits the
    parameter. Every pending state is committed by micro, and its statistic by finish. A program commits a state at most
    once. finish predicates its commits on its output `finite`, but those of the loss scale and its tracker, unless
    nonfinite is ignore. Floats are f32, but f64 scalars and vectors (powers, sums of squares). Every op of micro has
    entered training, every op of eval evaluation. Types are static.
  }];
  let options = [Option<"nonfinite", "nonfinite", "std::string", "\"skip\"", "skip, stop or ignore">];
}

#endif
