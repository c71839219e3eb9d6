import { pngChunk } from "#app/server/pictures/png-chunk.server.ts";
import { qrCode } from "#app/server/qr-code.server.ts";

/** Pixels, at least: sharp at 8 cm in print. */
const MIN_WIDTH = 1_000;

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A QR code as a PNG with two colours, in which each module has the same whole number of pixels. */
export async function qrPng(text: string, colours: { ink: string; paper: string }): Promise<Blob> {
  const { rows, size } = qrCode(text);
  const scale = Math.ceil(MIN_WIDTH / size);
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, size * scale);
  header.setUint32(4, size * scale);
  // One bit for each pixel, which is the number of a colour.
  header.setUint8(8, 1);
  header.setUint8(9, 3);
  const lines = rows.flatMap((row) => Array.from({ length: scale }, () => toLine(row, scale)));
  return new Blob([
    SIGNATURE,
    pngChunk("IHDR", new Uint8Array(header.buffer)),
    pngChunk("PLTE", Uint8Array.from([...rgb(colours.paper), ...rgb(colours.ink)])),
    pngChunk("IDAT", await deflate(new Blob(lines))),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

/** A line of pixels, behind the number of its filter: none. */
function toLine(row: boolean[], scale: number): Uint8Array<ArrayBuffer> {
  const line = new Uint8Array(1 + Math.ceil((row.length * scale) / 8));
  row.forEach((isDark, module) => {
    if (!isDark) return;
    for (let x = module * scale; x < (module + 1) * scale; x += 1) {
      const at = 1 + (x >> 3);
      line[at] = (line[at] ?? 0) | (0x80 >> (x & 7));
    }
  });
  return line;
}

/** @param colour `#rrggbb` */
function rgb(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

async function deflate(data: Blob): Promise<Uint8Array> {
  const stream = data.stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
