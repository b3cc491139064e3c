// Reads and checks window attributes; resolves auto_pad into pads.
#include "compiler/import/onnx/Window.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// Larger numbers are damage, and their products would not fit 64 bits.
static constexpr int64_t largest = int64_t(1) << 31;

static LogicalResult checkList(NodeImport &node, StringRef name, ArrayRef<int64_t> values, size_t count,
                               int64_t least) {
  if (values.size() != count)
    return node.fail("attribute '" + name + "' has " + Twine(values.size()) + " values " + listText(values) +
                     "; wants " + Twine(count) + ": amp has 2-D windows only");
  for (int64_t value : values)
    if (value < least || value >= largest)
      return node.fail("attribute '" + name + "' is " + listText(values) + "; wants numbers in [" + Twine(least) +
                       ", 2^31)");
  return success();
}

/// Pads so that the result has ceil(length / stride) windows; the odd one goes to the end, or to the start.
static LogicalResult padSame(NodeImport &node, ArrayRef<int64_t> shape, bool atStart, Window &window) {
  for (unsigned axis : {0u, 1u}) {
    const int64_t length = shape[2 + axis], stride = window.strides[axis];
    if (ShapedType::isDynamic(length))
      return node.fail("auto_pad SAME needs the image's size, which is unknown (" + shapeText(shape) +
                       "); give it with --shape=INPUT=NxCxHxW");
    const int64_t extent = (window.kernel[axis] - 1) * window.dilations[axis] + 1;
    const int64_t count = (length + stride - 1) / stride;
    const int64_t total = std::max<int64_t>((count - 1) * stride + extent - length, 0);
    const int64_t start = atStart ? total - total / 2 : total / 2;
    window.pads[axis] = start;
    window.pads[axis + 2] = total - start;
  }
  window.isExact = true;
  return success();
}

static LogicalResult applyAutoPad(NodeImport &node, ArrayRef<int64_t> shape, Window &window) {
  FailureOr<std::string> mode = node.text("auto_pad", "NOTSET");
  if (failed(mode))
    return failure();
  if (*mode == "NOTSET")
    return success();
  if (llvm::any_of(window.pads, [](int64_t pad) { return pad != 0; }))
    return node.fail("attributes 'auto_pad' = " + quotedName(*mode) + " and 'pads' = " + listText(window.pads) +
                     " exclude each other; leave one out");
  if (*mode == "VALID")
    return success();
  if (*mode == "SAME_UPPER" || *mode == "SAME_LOWER")
    return padSame(node, shape, *mode == "SAME_LOWER", window);
  return node.fail("attribute 'auto_pad' is " + quotedName(*mode) + "; wants NOTSET, VALID, SAME_UPPER or SAME_LOWER");
}

static LogicalResult checkKernel(NodeImport &node, ArrayRef<int64_t> kernel, ArrayRef<int64_t> known) {
  if (!known.empty() && kernel != known)
    return node.fail("attribute 'kernel_shape' is " + listText(kernel) + ", but the weight has " + listText(known) +
                     "; correct it or leave it out");
  return success();
}

FailureOr<Window> amp::compiler::readWindow(NodeImport &node, ArrayRef<int64_t> shape, ArrayRef<int64_t> kernel) {
  if (shape.size() != 4)
    return node.fail("input 0 has the shape " + shapeText(shape) +
                     "; amp has windows over images of rank 4 (NxCxHxW) only");
  if (kernel.empty() && !node.hasAttribute("kernel_shape"))
    return node.fail("attribute 'kernel_shape' is missing; wants 2 numbers");
  FailureOr<Integers> size = node.integers("kernel_shape", kernel);
  FailureOr<Integers> strides = node.integers("strides", {1, 1});
  FailureOr<Integers> pads = node.integers("pads", {0, 0, 0, 0});
  FailureOr<Integers> dilations = node.integers("dilations", {1, 1});
  if (failed(size) || failed(strides) || failed(pads) || failed(dilations))
    return failure();
  if (failed(checkList(node, "kernel_shape", *size, 2, 1)) || failed(checkList(node, "strides", *strides, 2, 1)) ||
      failed(checkList(node, "pads", *pads, 4, 0)) || failed(checkList(node, "dilations", *dilations, 2, 1)) ||
      failed(checkKernel(node, *size, kernel)))
    return failure();
  Window window{*size, *strides, *pads, *dilations};
  if (failed(applyAutoPad(node, shape, window)))
    return failure();
  return window;
}
