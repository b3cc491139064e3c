#!/usr/bin/env python3
"""Records the first step of resnet18, resnet50 and vit_tiny in PyTorch, or checks what was recorded.

usage: make-networks-truth.py [--check] [NETWORK...]
Needs torch, torchvision, timm, numpy and onnx (test/requirements-torch.txt). The models of torchvision and timm get the
weights and the batch of test/models/make-networks.py. Without --check, what networks.json beside this script says of
them is written anew. With it, the figures are made again and compared, and PyTorch exports the models again: the graphs
of test/models must equal what it writes, node by node.
"""

import importlib
import json
import pathlib
import sys
import tempfile
import warnings

import onnx
import timm
import torch
import torchvision

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "models"))
networks = importlib.import_module("make-networks")
RECORD = HERE / "networks.json"
# The same machine gives the same figures; another one sums in another order.
TOLERANCE = 1e-5


def makeModel(name):
    if name == "vit_tiny":
        return timm.create_model("vit_tiny_patch16_224")
    return getattr(torchvision.models, name)()


def loadedModel(name, precision):
    model = makeModel(name).to(precision).train()
    weights = {key: torch.from_numpy(values).to(precision) for key, values in networks.drawWeights(name).items()}
    counters = {key for key in model.state_dict() if key.endswith("num_batches_tracked")}
    missing, surplus = model.load_state_dict(weights, strict=False)
    if set(missing) - counters or surplus:
        raise SystemExit(f"{name}: missing weights {sorted(set(missing) - counters)}, surplus {surplus}")
    return model


def firstStep(name, precision):
    """Loss, norm of the whole gradient and of every tensor's."""
    model = loadedModel(name, precision)
    batch = networks.drawBatch(name)
    logits = model(torch.from_numpy(batch["x"]).to(precision))
    loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(batch["labels"]))
    loss.backward()
    norms = {key: parameter.grad.double().norm() for key, parameter in model.named_parameters()}
    whole = torch.stack(list(norms.values())).norm()
    return {"loss": loss.item(), "grad_norm": whole.item(), "gradients": {key: norm.item() for key, norm in norms.items()}}


def record(name):
    single, double = firstStep(name, torch.float32), firstStep(name, torch.float64)
    print(f"{name}: loss {single['loss']:.8f} (fp64 {double['loss']:.8f}), "
          f"norm {single['grad_norm']:.7f} (fp64 {double['grad_norm']:.7f})", flush=True)
    return single | {"fp64": {key: double[key] for key in ("loss", "grad_norm")}}


def nodesOf(path):
    """What a graph computes, without the numbers of the exporter's anonymous constants."""
    anonymous = {}

    def named(value):
        return anonymous.setdefault(value, f"anonymous {len(anonymous)}") if value.startswith("onnx::") else value

    graph = onnx.load(path).graph
    nodes = [(node.op_type, node.name if "/" in node.name else "", [*map(named, node.input)],
              [*map(named, node.output)],
              sorted((entry.name, str(onnx.helper.get_attribute_value(entry))
                      if entry.type != onnx.AttributeProto.TENSOR
                      else str(onnx.numpy_helper.to_array(entry.t))) for entry in node.attribute))
             for node in graph.node]
    return nodes, [(weight.name, list(weight.dims)) for weight in graph.initializer]


def checkGraph(name, folder):
    # The exporter warns of every counter of batches that it leaves out.
    warnings.simplefilter("ignore")
    made, _ = networks.makeNetwork(name, folder)
    exported = folder / "exported.onnx"
    torch.onnx.export(makeModel(name).train(), (torch.zeros(networks.BATCH, 3, 224, 224),), exported, dynamo=False,
                      training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False, opset_version=20,
                      input_names=["x"], output_names=["logits"],
                      dynamic_axes={"x": {0: "batch"}, "logits": {0: "batch"}})
    (nodes, weights), (wantedNodes, wantedWeights) = nodesOf(made), nodesOf(exported)
    for index, (got, wanted) in enumerate(zip(nodes, wantedNodes)):
        if got != wanted:
            raise SystemExit(f"{name}: node {index} is\n  {got}\nand PyTorch exports\n  {wanted}")
    if len(nodes) != len(wantedNodes) or weights != wantedWeights:
        raise SystemExit(f"{name}: {len(nodes)} nodes and {len(weights)} weights; PyTorch exports {len(wantedNodes)} "
                         f"and {len(wantedWeights)}, or others")
    print(f"{name}: all {len(nodes)} nodes and {len(weights)} weights are as PyTorch exports them", flush=True)


def checkFigures(name, got, wanted):
    for key in ("loss", "grad_norm"):
        for what, fresh, old in ((key, got[key], wanted[key]), (f"fp64 {key}", got["fp64"][key], wanted["fp64"][key])):
            if not abs(fresh - old) <= TOLERANCE * abs(old):
                raise SystemExit(f"{name}: {what} is {fresh}, {RECORD.name} says {old}; run without --check if that is meant")


def main():
    check, names = "--check" in sys.argv, [name for name in sys.argv[1:] if name != "--check"]
    if not set(names) <= set(networks.SEEDS):
        raise SystemExit(__doc__)
    names = names or list(networks.SEEDS)
    fresh = {name: record(name) for name in names}
    recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    if not check:
        RECORD.write_text(json.dumps(recorded | fresh, indent=1) + "\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            checkFigures(name, fresh[name], recorded[name])
            checkGraph(name, pathlib.Path(folder))


if __name__ == "__main__":
    main()
