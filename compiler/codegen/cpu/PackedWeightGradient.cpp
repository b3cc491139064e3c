// The gradient of a convolution's kernel by packed panels: a block of output channels times a panel of input channels
// stays in registers while a band of pixels runs past. 16-bit images are widened as they are packed.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "compiler/tiling/WeightGradient.h"
#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

constexpr int64_t lineFloats = 16; ///< of a cache line

struct PackedGradient {
  KernelEmitter &k;
  graph::Conv2dWeightGradOp op;
  PackedWeightGradient s;
  int64_t panel, rows; ///< columns and rows of a block in registers: two vectors wide, as many rows as fit
  int64_t channels;    ///< output channels of this tile
  Value firstChannel;
  Memory x, dy, sums;

  PackedGradient(KernelEmitter &k, graph::Conv2dWeightGradOp op, const PackedWeightGradient &shape);

  struct Band {
    Value image, images, row, rows; ///< the first of each, and how many
  };
  void emit();

private:
  int64_t perChannel() const { return s.channels * s.kernelHeight * s.kernelWidth; }
  /// The value of an image of the op, lanes along channels.
  Value pixel(Value image, Value n, Value h, Value w, Value channel, int64_t lanes);
  /// Asks for what a later step of a packing loop reads: pixels lie too far apart for a processor to guess them.
  void ahead(Value image, Value n, Value h, Value w, Value channel);
  void zero(const Memory &memory, int64_t floats);
  void bands(llvm::function_ref<void(const Band &)> body);
  void blocks(llvm::function_ref<void(Value, int64_t)> body);
  void packGradient(const Band &band);
  void packRow(const Band &band, Value image, Value row, Value channel, int64_t width);
  void packImages(const Band &band, Value channel, int64_t width);
  void multiplyBand(const Band &band);
  void multiplyPanel(const Band &band, Value column, Value xStart);
  void multiply(const Band &band, Value channel, int64_t height, Value tap, Value xStart, Value sumStart);
  SmallVector<Value> step(ValueRange old, Value xPosition, Value dyPosition, int64_t height);
  void storeChannels(Value channel, int64_t height);
};

PackedGradient::PackedGradient(KernelEmitter &k, graph::Conv2dWeightGradOp op, const PackedWeightGradient &shape)
    : k(k), op(op), s(shape), panel(2 * k.target.lanes), rows(k.target.lanes >= 16 ? 12 : 6) {
  channels = k.tiling.tileElements / perChannel();
  firstChannel = k.divide(k.begin, perChannel());
  int64_t offset = k.tiling.scratchOffset;
  auto next = [&](int64_t floats) {
    Memory memory = k.scratch(offset, k.f32());
    offset += llvm::alignTo(floats * 4, 64);
    return memory;
  };
  x = next(s.xFloats(panel));
  dy = next(s.dyFloats(channels));
  sums = next(s.sumFloats(channels, panel));
}

Value PackedGradient::pixel(Value image, Value n, Value h, Value w, Value channel, int64_t lanes) {
  Index index;
  index.axes = {n, h, w, channel};
  index.lanes = lanes;
  index.vectorAxis = lanes > 1 ? 3 : -1;
  return k.at(image, index);
}

void PackedGradient::ahead(Value image, Value n, Value h, Value w, Value channel) {
  constexpr int64_t distance = 8; // pixels
  Index index;
  index.axes = {n, h, k.add(w, distance), channel};
  k.prefetch(image, index);
}

void PackedGradient::zero(const Memory &memory, int64_t floats) {
  k.vectors(floats, k.target.lanes,
            [&](Value position, int64_t lanes) { k.store(memory, position, k.number(k.f32(), 0, lanes)); });
}

void PackedGradient::bands(llvm::function_ref<void(const Band &)> body) {
  k.loop(k.constant(0), k.constant(s.batch), s.bandImages, [&](Value image) {
    Value images = k.smaller(k.constant(s.bandImages), k.sub(k.constant(s.batch), image));
    k.loop(k.constant(0), k.constant(s.outHeight), s.bandRows, [&](Value row) {
      Value count = k.smaller(k.constant(s.bandRows), k.sub(k.constant(s.outHeight), row));
      body({image, images, row, count});
    });
  });
}

/// Blocks of the tile's channels: whole ones, then the rest.
void PackedGradient::blocks(llvm::function_ref<void(Value, int64_t)> body) {
  int64_t whole = channels / rows * rows;
  if (whole > 0)
    k.loop(k.constant(0), k.constant(whole), rows, [&](Value channel) { body(channel, rows); });
  if (whole < channels)
    body(k.constant(whole), channels - whole);
}

/// [block of channels][pixel][channel of the block].
void PackedGradient::packGradient(const Band &band) {
  k.loop(k.constant(0), band.images, 1, [&](Value n) {
    k.loop(k.constant(0), band.rows, 1, [&](Value row) {
      k.loop(k.constant(0), k.constant(s.outWidth), 1, [&](Value column) {
        Value number = k.add(k.mul(k.add(k.mul(n, s.bandRows), row), s.outWidth), column);
        Value image = k.add(band.image, n), source = k.add(band.row, row);
        for (int64_t channel = 0; channel < channels; channel += lineFloats)
          ahead(op.getDy(), image, source, column, k.add(firstChannel, channel));
        blocks([&](Value channel, int64_t height) {
          Value value = pixel(op.getDy(), image, source, column, k.add(firstChannel, channel), height);
          k.store(dy, k.add(k.mul(channel, s.bandPixels()), k.mul(number, height)), value);
        });
      });
    });
  });
}

/// One row of packed pixels; rows outside the image are zero, and columns outside it stay so.
void PackedGradient::packRow(const Band &band, Value n, Value row, Value channel, int64_t width) {
  Value source = k.add(k.add(k.mul(band.row, s.strideH), k.mul(row, s.packStrideH)), -s.padTop);
  Value start = k.mul(k.add(k.mul(n, s.packedHeight), row), s.packedWidth);
  int64_t first = llvm::divideCeil(s.padLeft, s.packStrideW);
  int64_t last = std::min(s.packedWidth, (s.width - 1 + s.padLeft) / s.packStrideW + 1);
  auto from = [&](Value column) { return k.add(k.mul(column, s.packStrideW), -s.padLeft); };
  auto columns = [&](bool reads, llvm::function_ref<Value(Value, int64_t, int64_t)> value) {
    k.loop(k.constant(first), k.constant(last), 1, [&](Value column) {
      Value place = k.mul(k.add(start, column), s.pitch(panel));
      if (reads)
        for (int64_t lane = 0; lane < width; lane += lineFloats)
          ahead(op.getX(), k.add(band.image, n), source, from(column), k.add(channel, lane));
      for (int64_t lane = 0; lane < width; lane += k.target.lanes) {
        int64_t lanes = std::min(k.target.lanes, width - lane);
        k.store(x, k.add(place, lane), value(column, lane, lanes));
      }
    });
  };
  auto copied = [&](Value column, int64_t lane, int64_t lanes) {
    return pixel(op.getX(), k.add(band.image, n), source, from(column), k.add(channel, lane), lanes);
  };
  auto nothing = [&](Value, int64_t, int64_t lanes) { return k.number(k.f32(), 0, lanes); };
  if (s.kernelHeight == 1 && s.padTop == 0 && (s.outHeight - 1) * s.strideH < s.height)
    return columns(true, copied);
  // As an unsigned number, a row above the image lies far below it.
  Value inside = arith::CmpIOp::create(k.b, arith::CmpIPredicate::ult, source, k.constant(s.height));
  Value outside = arith::CmpIOp::create(k.b, arith::CmpIPredicate::uge, source, k.constant(s.height));
  k.when(inside, [&] { columns(true, copied); });
  k.when(outside, [&] { columns(false, nothing); });
}

void PackedGradient::packImages(const Band &band, Value channel, int64_t width) {
  Value height = k.add(k.mul(k.add(band.rows, -1), s.stepH), (s.kernelHeight - 1) * s.dilationH + 1);
  k.loop(k.constant(0), band.images, 1,
         [&](Value n) { k.loop(k.constant(0), height, 1, [&](Value row) { packRow(band, n, row, channel, width); }); });
}

SmallVector<Value> PackedGradient::step(ValueRange old, Value xPosition, Value dyPosition, int64_t height) {
  int64_t lanes = k.target.lanes;
  Value columns[] = {k.load(x, xPosition, lanes), k.load(x, k.add(xPosition, lanes), lanes)};
  SmallVector<Value> updated;
  for (int64_t row = 0; row < height; ++row) {
    Value gradient = k.spread(k.load(dy, k.add(dyPosition, row)), lanes);
    for (int64_t column = 0; column < 2; ++column)
      updated.push_back(k.multiplyAdd(gradient, columns[column], old[2 * row + column]));
  }
  return updated;
}

/// Adds a band to the sums of one block at one tap.
void PackedGradient::multiply(const Band &band, Value channel, int64_t height, Value tap, Value xStart,
                              Value sumStart) {
  int64_t lanes = k.target.lanes, pitch = s.pitch(panel);
  SmallVector<Value> start(2 * height, k.number(k.f32(), 0, lanes));
  Value dyStart = k.mul(channel, s.bandPixels());
  SmallVector<Value> made;
  if (s.kernelHeight == 1 && s.kernelWidth == 1) {
    // Packed pixels of a band follow each other, those of dy as well.
    Value count = s.bandImages > 1 ? k.mul(band.images, s.bandRows * s.outWidth) : k.mul(band.rows, s.outWidth);
    made = k.accumulate(k.constant(0), count, 1, start, [&](Value number, ValueRange old) {
      return step(old, k.add(xStart, k.mul(number, pitch)), k.add(dyStart, k.mul(number, height)), height);
    });
  } else {
    Value tapRow = s.window ? tap : k.divide(tap, s.kernelWidth);
    Value tapColumn = s.window ? k.constant(0) : k.rest(tap, s.kernelWidth);
    Value tapOffset = k.add(k.mul(tapRow, s.dilationH * s.packedWidth * pitch), k.mul(tapColumn, s.dilationW * pitch));
    made = k.accumulate(k.constant(0), band.images, 1, start, [&](Value n, ValueRange ofImages) {
      return k.accumulate(k.constant(0), band.rows, 1, ofImages, [&](Value row, ValueRange ofRows) {
        Value xRow = k.add(k.mul(n, s.packedHeight), k.mul(row, s.stepH));
        Value xFirst = k.add(k.add(xStart, tapOffset), k.mul(xRow, s.packedWidth * pitch));
        Value dyFirst = k.add(dyStart, k.mul(k.add(k.mul(n, s.bandRows), row), s.outWidth * height));
        return k.accumulate(k.constant(0), k.constant(s.outWidth), 1, ofRows, [&](Value column, ValueRange old) {
          return step(old, k.add(xFirst, k.mul(column, s.stepW * pitch)), k.add(dyFirst, k.mul(column, height)),
                      height);
        });
      });
    });
  }
  for (int64_t number = 0; number < 2 * height; ++number) {
    Value place = k.add(sumStart, number * lanes);
    k.store(sums, place, k.addf(k.load(sums, place, lanes), made[number]));
  }
}

void PackedGradient::multiplyPanel(const Band &band, Value column, Value xStart) {
  blocks([&](Value channel, int64_t height) {
    Value block = k.mul(k.add(k.mul(column, channels), k.mul(channel, panel)), s.taps());
    k.loop(k.constant(0), k.constant(s.taps()), 1,
           [&](Value tap) { multiply(band, channel, height, tap, xStart, k.add(block, k.mul(tap, height * panel))); });
  });
}

void PackedGradient::multiplyBand(const Band &band) {
  int64_t columns = s.columns(), whole = columns / panel * panel;
  if (s.window) {
    packImages(band, k.constant(0), s.channels);
    k.loop(k.constant(0), k.constant(columns), panel, [&](Value column) { multiplyPanel(band, column, column); });
    return;
  }
  auto onePanel = [&](Value column, int64_t width) {
    packImages(band, column, width);
    multiplyPanel(band, column, k.constant(0));
  };
  if (whole > 0)
    k.loop(k.constant(0), k.constant(whole), panel, [&](Value column) { onePanel(column, panel); });
  if (whole < columns)
    onePanel(k.constant(whole), columns - whole);
}

/// From [panel][block][tap][channel of the block][column of the panel] to O x I x KH x KW.
void PackedGradient::storeChannels(Value channel, int64_t height) {
  int64_t columns = s.columns(), area = s.kernelHeight * s.kernelWidth;
  k.loop(k.constant(0), k.constant(height), 1, [&](Value row) {
    Value out = k.mul(k.add(k.add(firstChannel, channel), row), perChannel());
    k.loop(k.constant(0), k.constant(s.taps()), 1, [&](Value tap) {
      auto value = [&](Value panelStart, Value lane, int64_t lanes) {
        Value block = k.mul(k.add(k.mul(panelStart, channels), k.mul(channel, panel)), s.taps());
        Value place = k.add(block, k.mul(k.add(k.mul(tap, height), row), panel));
        return k.load(sums, k.add(place, lane), lanes);
      };
      if (s.window) {
        // Column b * channels + i is input channel i at tap (a, b).
        k.loop(k.constant(0), k.constant(columns), 1, [&](Value column) {
          Value lane = k.rest(column, panel), b = k.divide(column, s.channels), i = k.rest(column, s.channels);
          Value place = k.add(k.mul(i, area), k.add(k.mul(tap, s.kernelWidth), b));
          k.store(k.staged(0), k.add(out, place), value(k.sub(column, lane), lane, 1));
        });
        return;
      }
      k.vectors(columns, k.target.lanes, [&](Value column, int64_t lanes) {
        Value lane = k.rest(column, panel);
        Value place = k.add(k.add(out, k.mul(column, area)), tap);
        k.store(k.staged(0), place, value(k.sub(column, lane), lane, lanes), area);
      });
    });
  });
}

void PackedGradient::emit() {
  zero(x, s.xFloats(panel));
  zero(sums, s.sumFloats(channels, panel));
  bands([&](const Band &band) {
    packGradient(band);
    multiplyBand(band);
  });
  blocks([&](Value channel, int64_t height) { storeChannels(channel, height); });
}

} // namespace

bool amp::compiler::emitPackedWeightGradient(KernelEmitter &k, Operation *op) {
  std::optional<PackedWeightGradient> shape = packedWeightGradient(op);
  if (!shape)
    return false;
  PackedGradient(k, cast<graph::Conv2dWeightGradOp>(op), *shape).emit();
  return true;
}
