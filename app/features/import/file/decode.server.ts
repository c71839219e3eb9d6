import { errors, ImportError } from "#app/features/import/file/import-error.ts";

/**
 * Decodes a file piece by piece: UTF-8, or UTF-16 with a byte order mark, as Excel saves "Unicode text".
 *
 * @throws {ImportError} for anything that is not text in one of these encodings
 */
export async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let start = new Uint8Array();
  for await (const piece of bytes) {
    if (decoder !== null) {
      yield text(decoder, piece);
      continue;
    }
    start = joinBytes(start, piece);
    if (start.byteLength < SIGNATURE) continue;
    decoder = decoderFor(start);
    yield text(decoder, start);
  }
  if (decoder === null) {
    decoder = decoderFor(start);
    yield text(decoder, start);
  }
  yield text(decoder);
}

/** Bytes that tell the kind of a file. */
const SIGNATURE = 4;

function decoderFor(start: Uint8Array): TextDecoder {
  const [a, b, c, d] = start;
  // The signature of ZIP files, which workbooks are.
  if (a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04) throw new ImportError(errors.workbook);
  const isUtf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  // Pictures, PDF documents and older workbooks.
  if (!isUtf16 && a !== undefined && (a === 0x89 || a === 0xd0 || a === 0xff)) throw new ImportError(errors.notText);
  return new TextDecoder(isUtf16 ? (a === 0xff ? "utf-16le" : "utf-16be") : "utf-8", { fatal: true });
}

function text(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    const decoded = decoder.decode(piece, { stream: piece !== undefined });
    if (decoded.includes("\0")) throw new ImportError(errors.notText);
    return decoded;
  } catch (error) {
    throw error instanceof ImportError ? error : new ImportError(errors.encoding);
  }
}

export function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.byteLength + second.byteLength);
  both.set(first);
  both.set(second, first.byteLength);
  return both;
}
