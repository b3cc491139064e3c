#!/usr/bin/env python3
"""Makes the small ONNX files under test/data/onnx. Needs the package onnx 1.23.2; the files are committed."""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
INT64 = TensorProto.INT64
BOOL = TensorProto.BOOL
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "onnx")


def ramp(*shape):
    count = int(np.prod(shape))
    return ((np.arange(count, dtype=np.float32) % 7 - 3) / 8).reshape(shape)


def weight(name, *shape):
    return numpy_helper.from_array(ramp(*shape), name)


def integers(name, *values):
    return numpy_helper.from_array(np.array(values, dtype=np.int64), name)


def value(name, *shape, type=FLOAT):
    return helper.make_tensor_value_info(name, type, list(shape))


def node(op, inputs, outputs, name=None, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), name=name or op.lower(), **attributes)


def scalar(name, number):
    return numpy_helper.from_array(np.float32(number), name)


def save(file, nodes, inputs, outputs, initializers=(), opset=17, ir=8, extra=(), producer="amp-tests", metadata=()):
    graph = helper.make_graph(nodes, file, inputs, outputs, list(initializers))
    opsets = [helper.make_opsetid("", opset)] + [helper.make_opsetid(domain, 1) for domain in extra]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=ir, producer_name=producer)
    for key, content in metadata:
        model.graph.metadata_props.add(key=key, value=content)
    path = os.path.join(HERE, file + ".onnx")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(model.SerializeToString(deterministic=True))


def good():
    perceptron = [node("Gemm", "x fc.weight fc.bias", "h", name="fc", transB=1), node("Relu", "h", "y", name="act")]
    save("perceptron", perceptron, [value("x", "batch", 4)], [value("y", "batch", 3)],
         [weight("fc.weight", 3, 4), weight("fc.bias", 3)])
    save("perceptron-ir3", perceptron, [value("x", "batch", 4), value("fc.weight", 3, 4), value("fc.bias", 3)],
         [value("y", "batch", 3)], [weight("fc.weight", 3, 4), weight("fc.bias", 3)], opset=9, ir=3)
    save("unnamed", [helper.make_node("Tanh", ["x"], ["h"]), helper.make_node("Tanh", ["h"], ["y"])],
         [value("x", 2)], [value("y", 2)])
    save("gemm", [node("Gemm", "x w c", "y", alpha=0.5, beta=2.0, transA=1)], [value("x", 4, 2)], [value("y", 2, 3)],
         [weight("w", 4, 3), weight("c", 2, 1)])
    save("matmul", [node("MatMul", "x w", "h", name="product"), node("Add", "b h", "g", name="bias"),
                    node("MatMul", "g v", "y", name="vector")],
         [value("x", 2, 5, 4)], [value("y", 2, 5)], [weight("w", 4, 3), weight("b", 3), weight("v", 3)])
    save("image", [node("Conv", "x w b", "c", name="conv", auto_pad="SAME_UPPER", strides=[2, 2]),
                   node("MaxPool", "c", "m", name="max", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
                   node("AveragePool", "m", "y", name="mean", kernel_shape=[2, 2], pads=[1, 1, 0, 0],
                        count_include_pad=1)],
         [value("x", 1, 2, 11, 11)], [value("y", 1, 4, "h", "w")], [weight("w", 4, 2, 3, 3), weight("b", 4)])
    save("dropout", [node("Dropout", "x ratio on", "h", name="drop"), node("Dropout", "h ratio off", "g", name="keep"),
                     node("Identity", "g", "y", name="same")],
         [value("x", 2, 4)], [value("y", 2, 4)],
         [numpy_helper.from_array(np.float32(0.25), "ratio"), numpy_helper.from_array(np.bool_(True), "on"),
          numpy_helper.from_array(np.bool_(False), "off")])
    save("dropout-7", [node("Dropout", "x", "y", name="drop", ratio=0.25)], [value("x", 2, 4)], [value("y", 2, 4)],
         opset=7)
    save("softmax-11", [node("Softmax", "x", "h", name="flat"), node("LogSoftmax", "h", "y", name="last", axis=-1)],
         [value("x", "n", 3, 4)], [value("y", "n", 3, 4)], opset=11)
    save("shapes", [node("Shape", "x", "s", name="size"), node("Gather", "s zero", "n", name="first"),
                    node("Unsqueeze", "n axis", "n1", name="list"), node("Concat", "n1 rest", "target", name="join", axis=0),
                    node("Reshape", "x target", "r", name="reshape"), node("Squeeze", "r one", "y", name="squeeze")],
         [value("x", "batch", 2, 6)], [value("y", "batch", 12)],
         [numpy_helper.from_array(np.int64(0), "zero"), integers("axis", 0), integers("rest", 1, -1), integers("one", 1)])
    save("fixed-batch", [node("Constant", "", "target", name="constant", value_ints=[4, 6]),
                         node("Reshape", "x target", "y", name="view")], [value("x", 4, 2, 3)], [value("y", 4, 6)])
    save("reductions", [node("ReduceMean", "x", "m", name="mean", axes=[-1]),
                        node("ReduceSum", "m axes", "y", name="sum", keepdims=0)],
         [value("x", 2, 3, 4)], [value("y", 3)], [integers("axes", 0, 2)])
    save("slice-concat", [node("Slice", "x from to", "a", name="left"), node("Concat", "a a", "y", name="join", axis=1)],
         [value("x", 4, 4)], [value("y", 2, 8)], [integers("from", 0), integers("to", 2)])
    half = numpy_helper.from_array(ramp(3, 4).astype(np.float16), "w")
    save("half", [node("MatMul", "x w", "h"), node("Cast", "h", "g", to=FLOAT), node("Cast", "g", "y", to=10)],
         [value("x", 2, 3, type=10)], [value("y", 2, 4, type=10)], [half])
    typed = helper.make_tensor("w", FLOAT, [2, 2], [1.0, 2.0, 3.0, 4.0])
    double = numpy_helper.from_array(np.array([0.5, 0.25], dtype=np.float64), "d")
    save("typed", [node("MatMul", "x w", "h"), node("Mul", "h d", "y")], [value("x", 2, 2)], [value("y", 2, 2)],
         [typed, double])


def operators():
    def channels(prefix):
        return [weight(prefix + name, 4) for name in (".scale", ".bias", ".mean", ".variance")]

    def batch_norm(inputs, outputs, prefix, **attributes):
        names = " ".join(prefix + name for name in (".scale", ".bias", ".mean", ".variance"))
        return node("BatchNormalization", inputs + " " + names, outputs, name=prefix, **attributes)

    save("batch-norm", [batch_norm("x", "a a.mean a.variance", "trains", training_mode=1, momentum=0.75, epsilon=0.125),
                        node("Relu", "a", "b"), batch_norm("b", "y", "evaluates")],
         [value("x", "n", 4, 5)], [value("y", "n", 4, 5)], channels("trains") + channels("evaluates"))
    save("batch-norm-9", [batch_norm("x", "y m v sm sv", "old")], [value("x", 2, 4, 3, 3)], [value("y", 2, 4, 3, 3)],
         channels("old"), opset=9)
    save("layer-norm", [node("LayerNormalization", "x g b", "h", name="last", epsilon=0.25),
                        node("LayerNormalization", "h m", "y", name="two", axis=1)],
         [value("x", "n", 3, 4)], [value("y", "n", 3, 4)], [weight("g", 4), weight("b", 4), weight("m", 3, 4)])
    save("elementwise", [node("Erf", "x", "a"), node("Abs", "a", "b"), node("Reciprocal", "b", "c"),
                         node("Pow", "c two", "d", name="square"), node("Pow", "d half", "e", name="root"),
                         node("Pow", "e whole", "f", name="cube"), node("Pow", "f p", "g", name="learned"),
                         node("Sum", "g x x", "s"), node("Max", "s x", "h"), node("Min", "h x g", "i"), node("Clip", "i low high", "j"),
                         node("Clip", "j", "k", name="open"), node("Gelu", "k", "l"),
                         node("Gelu", "l", "y", name="fast", approximate="tanh")],
         [value("x", 2, 3)], [value("y", 2, 3)],
         [scalar("two", 2), scalar("half", 0.5), numpy_helper.from_array(np.int64(3), "whole"), weight("p", 1),
          scalar("low", -1), scalar("high", 1)], opset=20)
    save("clip-6", [node("Clip", "x", "y", max=6.0, min=0.0)], [value("x", 2, 3)], [value("y", 2, 3)], opset=7)
    save("logic", [node("Equal", "i zero", "a"), node("Greater", "x h", "b"), node("GreaterOrEqual", "x h", "c"),
                   node("Less", "x h", "d"), node("LessOrEqual", "x h", "e"), node("IsNaN", "x", "f"),
                   node("And", "a b", "g"), node("Or", "c d", "j"), node("Not", "f", "k"), node("And", "g j", "l"),
                   node("And", "l k", "m", name="all"), node("And", "m e", "n", name="more"), node("Where", "n x h", "y")],
         [value("x", 2, 3), value("i", 2, 3, type=INT64)], [value("y", 2, 3)],
         [weight("h", 3), numpy_helper.from_array(np.int64(0), "zero")])
    save("gathers", [node("Gather", "table ids", "a", name="embed"), node("GatherElements", "a at", "b", name="elements", axis=2),
                     node("GatherND", "b tuples", "y", name="tuples", batch_dims=1)],
         [value("ids", "n", 3, type=INT64), value("at", "n", 3, 2, type=INT64)], [value("y", 2, 1)],
         [weight("table", 7, 4), numpy_helper.from_array(np.zeros((2, 1, 2), dtype=np.int64), "tuples")])
    save("splits", [node("Split", "x sizes", "a b", name="uneven", axis=1), node("Split", "b", "c d", name="even", axis=1),
                    node("Split", "a", "e f", name="short", axis=-1, num_outputs=2), node("Concat", "c d e f", "y", axis=1)],
         [value("x", "n", 7)], [value("y", "n", 7)], [integers("sizes", 3, 4)], opset=18)
    save("split-11", [node("Split", "x", "a b", axis=1, split=[2, 4]), node("Concat", "b a", "y", axis=1)],
         [value("x", "n", 6)], [value("y", "n", 6)], opset=11)
    save("computed-shapes",
         [node("Shape", "x", "s"), node("ConstantOfShape", "s", "ones", name="fill", value=helper.make_tensor("v", FLOAT, [1], [1.0])),
          node("Gather", "s last", "n", name="length"), node("Range", "from n one", "count"),
          node("Cast", "count", "floats", to=FLOAT), node("Expand", "floats s", "rows"), node("Trilu", "ones diagonal", "low", upper=0),
          node("Mul", "low rows", "m"), node("Squeeze", "last1", "l"), node("Unsqueeze", "n zero", "n1"),
          node("Slice", "m start n1 last1", "cut"), node("CastLike", "cut x", "like"), node("Mul", "x like", "y", name="scaled")],
         [value("x", "n", "n")], [value("y", "n", "n")],
         [numpy_helper.from_array(np.int64(1), "last"), numpy_helper.from_array(np.int64(0), "from"),
          numpy_helper.from_array(np.int64(1), "one"), numpy_helper.from_array(np.int64(0), "diagonal"),
          integers("last1", 1), integers("zero", 0), integers("start", 0)])
    norm = [node("ReduceMean", "x", "mean", name="mean", axes=[-1]), node("Sub", "x mean", "d", name="sub"),
            node("Pow", "d two", "q", name="square"), node("ReduceMean", "q", "v", name="variance", axes=[-1]),
            node("Add", "v eps", "e", name="eps"), node("Sqrt", "e", "s", name="root"), node("Div", "d s", "n", name="div"),
            node("Mul", "n g", "m", name="scale"), node("Add", "m b", "h", name="norm")]
    gelu = [node("Div", "h root2", "a", name="slope"), node("Erf", "a", "f", name="erf"), node("Add", "f one", "o", name="plus"),
            node("Mul", "h o", "p", name="product"), node("Mul", "p half", "y", name="gelu")]
    numbers = [node("Constant", "", name, name=name + "_number", value_float=number)
               for name, number in (("two", 2.0), ("eps", 1e-5), ("root2", 2.0**0.5), ("one", 1.0), ("half", 0.5))]
    save("spelled-out", numbers + norm + gelu, [value("x", "n", 3, 4)], [value("y", "n", 3, 4)],
         [weight("g", 4), weight("b", 4)])
    save("global-pool", [node("GlobalAveragePool", "x", "y")], [value("x", "n", 4, 5, 6)], [value("y", "n", 4, 1, 1)])


def exporters():
    """What PyTorch's exporters leave behind where they folded a normalisation, and where they did not."""
    def convolution(weights, **metadata):
        one = node("Conv", "x " + weights + " b", "y", name="conv")
        for key, content in metadata.items():
            one.metadata_props.add(key=key.replace("__", "."), value=content)
        return [one], [value("x", 1, 2, 8, 8)], [value("y", 1, 4, 6, 6)], [weight(weights, 4, 2, 3, 3), weight("b", 4)]

    rules = "pkg__onnxscript__rewriter__rule_name"
    save("folded-dynamo", *convolution("w", **{rules: "RemoveOptionalBiasFromConv, FuseBatchNormIntoConv"}), ir=10,
         producer="pytorch")
    save("folded-torchscript", *convolution("onnx::Conv_89"), producer="pytorch")
    save("plain-dynamo", *convolution("w", **{rules: "RemoveOptionalBiasFromConv"}), ir=10, producer="pytorch")
    save("plain-torchscript", *convolution("conv.weight"), producer="pytorch")
    twice = [node("Identity", "a.weight", "b.weight", name="same"), node("Mul", "x a.weight", "h"), node("Mul", "h b.weight", "y")]
    save("merged-torchscript", twice, [value("x", 2, 2)], [value("y", 2, 2)], [weight("a.weight", 2)], producer="pytorch")
    key = "pkg.torch.export.ExportedProgram.graph_signature"
    pair = "\n# inputs\np_a: PARAMETER target='a.weight'\np_b: PARAMETER target='b.weight'\n"
    once = [node("Mul", "x a.weight", "h"), node("Mul", "h a.weight", "g"), node("Reshape", "g val_1", "y")]
    save("merged-dynamo", once, [value("x", 2, 2)], [value("y", 4)], [weight("a.weight", 2), integers("val_1", 4)], ir=10,
         producer="pytorch", metadata=[(key, pair)])
    save("tied-dynamo", once[:2] + [node("Flatten", "g", "y", axis=0)], [value("x", 2, 2)], [value("y", 1, 4)],
         [weight("a.weight", 2)], ir=10, producer="pytorch", metadata=[(key, pair)])
    transposed = [node("MatMul", "x val_1", "h"), node("Mul", "h a.weight", "y")]
    save("transposed-dynamo", transposed, [value("x", 2, 2)], [value("y", 2, 2)],
         [weight("a.weight", 2), weight("val_1", 2, 2)], ir=10, producer="pytorch", metadata=[(key, pair)])
    signature = "\n# inputs\np_s: PARAMETER target='s'\np_w: PARAMETER target='w'\nx: USER_INPUT\n"
    save("lifted", [node("Mul", "x s", "a", name="learned"), node("Mul", "a val_1", "b", name="number"),
                    node("MatMul", "b w", "y")], [value("x", 2, 2)], [value("y", 2, 2)],
         [scalar("s", 2), scalar("val_1", 3), weight("w", 2, 2)], ir=10, producer="pytorch",
         metadata=[(key, signature)])


def external(file, location, offset=None, length=None, data=None, link=None):
    tensor = TensorProto(name="w", data_type=FLOAT, dims=[2, 3], data_location=TensorProto.EXTERNAL)
    for key, content in (("location", location), ("offset", offset), ("length", length)):
        if content is not None:
            tensor.external_data.add(key=key, value=str(content))
    save(file, [node("MatMul", "x w", "y")], [value("x", 1, 2)], [value("y", 1, 3)], [tensor])
    if data is not None:
        with open(os.path.join(HERE, os.path.dirname(file), location), "wb") as out:
            out.write(data)
    if link is not None:
        path = os.path.join(HERE, os.path.dirname(file), location)
        if os.path.lexists(path):
            os.remove(path)
        os.symlink(link, path)


def external_data():
    data = b"\0" * 8 + ramp(2, 3).tobytes()
    external("external/fine", "w.bin", offset=8, length=24, data=data)
    external("external/offset-beyond-end", "w.bin", offset=16, length=24)
    external("external/offset-negative", "w.bin", offset=-8, length=24)
    external("external/length-wrong", "w.bin", offset=8, length=20)
    external("external/outside", "../perceptron.onnx", offset=0, length=24)
    external("external/absolute", "/etc/hostname", offset=0)
    external("external/directory", ".")
    external("external/missing", "none.bin")
    external("external/link", "link.bin", link="w.bin")


def bad():
    io = [value("x", 2, 4)], [value("y", 2, 4)]
    save("bad/unsupported", [node("Mish", "x", "a", name="g1"), node("Mish", "a", "b", name="g2"),
                             node("Fused", "b", "y", name="f", domain="com.example")], *io, opset=20,
         extra=["com.example"])
    save("bad/cycle", [node("Add", "x b", "a", name="first"), node("Relu", "a", "b", name="second"),
                       node("Relu", "b", "y", name="third")], *io)
    save("bad/names", [node("Relu", "x", "a", name="first"), node("Tanh", "x", "a", name="second"),
                       node("Add", "a nothing", "y", name="third")], *io)
    save("bad/attributes", [node("Softmax", "x", "a", name="text", axis="1"),
                            node("Softmax", "x", "b", name="far", axis=-(2**63)),
                            node("Transpose", "x", "c", name="perm", perm=[0, 0]),
                            node("Relu", "x", "y", name="extra", alpha=1.0)], *io)
    save("bad/windows", [node("Conv", "x w", "a", name="stride", strides=[0, 1]),
                         node("Conv", "x w", "b", name="kernel", kernel_shape=[2, 2]),
                         node("MaxPool", "x", "c", name="missing"),
                         node("AveragePool", "x", "y", name="line", kernel_shape=[2])],
         [value("x", 1, 2, 8, 8)], [value("y", 1, 2, 7, 7)], [weight("w", 4, 2, 3, 3)])
    short = TensorProto(name="short", data_type=FLOAT, dims=[2, 3], raw_data=b"\0" * 20)
    negative = TensorProto(name="negative", data_type=FLOAT, dims=[-2, -3], raw_data=b"\0" * 24)
    huge = TensorProto(name="huge", data_type=FLOAT, dims=[2**62, 2**62], raw_data=b"")
    words = TensorProto(name="words", data_type=TensorProto.STRING, dims=[1], string_data=[b"a"])
    counts = TensorProto(name="counts", data_type=INT64, dims=[3], int64_data=[1, 2])
    save("bad/initializers", [node("Relu", "x", "y")], *io, [short, negative, huge, words, counts])
    save("bad/versions", [node("Relu", "x", "y")], *io, opset=6, ir=2)
    save("bad/future", [node("Relu", "x", "y")], *io, opset=99, ir=99)
    save("bad/untyped", [node("Relu", "x", "y")], [helper.make_empty_tensor_value_info("x")], [value("y", 2)])
    save("bad/no-float", [node("Shape", "x", "y")], [value("x", 2, 4)], [value("y", 2, type=INT64)])
    save("bad/shapes", [node("MatMul", "x w", "a", name="product"), node("Reshape", "x target", "y", name="view")], *io,
         [weight("w", 3, 5), integers("target", 3, 3)])
    norm = [weight(name, 4) for name in ("scale", "bias", "mean", "variance")]
    save("bad/norms", [node("BatchNormalization", "x scale bias mean variance", "a am av", name="extra", training_mode=1),
                       node("Relu", "am", "b"),
                       node("Exp", "mean", "moved"),
                       node("BatchNormalization", "x scale bias moved variance", "c", name="computed"),
                       node("BatchNormalization", "x scale bias mean variance", "d", name="range", momentum=1.5),
                       node("LayerNormalization", "x scale", "y", name="axis", axis=2)], *io, norm)
    save("bad/operators", [node("Where", "x x x", "a", name="choose"), node("Not", "x", "b", name="not"),
                           node("Gather", "x x", "c", name="float"), node("Gelu", "x", "d", name="form", approximate="fast"),
                           node("Split", "x sizes", "e f", name="sum", axis=1), node("Split", "x", "g h i", name="divides", axis=1),
                           node("Range", "x x x", "j", name="range"), node("Pow", "x x", "y", name="fine")],
         *io, [integers("sizes", 1, 2)], opset=20)
    save("bad/declared", [node("Relu", "x", "y")], [value("x", 2, 4)], [value("y", 2, 5)])


if __name__ == "__main__":
    os.makedirs(HERE, exist_ok=True)
    good()
    operators()
    exporters()
    external_data()
    bad()
    sys.stdout.write("wrote " + HERE + "\n")
