import { joinBytes } from "#app/features/import/file/decode.server.ts";
import { errors, ImportError, MAX_FILE_SIZE } from "#app/features/import/file/import-error.ts";

/** The form's other bytes: the separators and the file's header. */
const FORM_SIZE = 4_096;

/** The largest form with a file (bytes). */
export const MAX_UPLOAD_SIZE = MAX_FILE_SIZE + FORM_SIZE;

/**
 * Reads the file of a multipart form while it arrives (RFC 7578). `request.formData()` would hold it in memory twice.
 *
 * @throws {ImportError} here, or from the bytes: the file is too large, or the form incomplete
 */
export async function readUpload(request: Request): Promise<{ name: string; bytes: AsyncIterable<Uint8Array> }> {
  const boundary = /^multipart\/form-data\s*;.*boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(
    request.headers.get("Content-Type") ?? "",
  );
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_UPLOAD_SIZE) {
    throw new ImportError(errors.tooLarge);
  }
  if (boundary === null || request.body === null) throw new ImportError(errors.interrupted);
  const separator = encoder.encode(`--${boundary[1] ?? boundary[2]}`);
  const form = new Pieces(request.body);
  const name = await readFileName(form, separator).catch(async (error: unknown) => {
    await form.release();
    throw error;
  });
  return { name, bytes: limited(form.stream(joinBytes(encoder.encode("\r\n"), separator))) };
}

/** Reads up to where the file begins. */
async function readFileName(form: Pieces, separator: Uint8Array): Promise<string> {
  if ((await form.until(separator, FORM_SIZE)).byteLength > 0) throw new ImportError(errors.interrupted);
  const header = new TextDecoder().decode(await form.until(encoder.encode("\r\n\r\n"), FORM_SIZE));
  const name = /;\s*filename="((?:[^"\\\r\n]|\\.)*)"/i.exec(header)?.[1];
  // Browsers send an empty name if no file was chosen.
  if (name === undefined || name === "") throw new ImportError(errors.interrupted);
  return name;
}

async function* limited(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > MAX_FILE_SIZE) throw new ImportError(errors.tooLarge);
    yield piece;
  }
}

/** A stream that can be read up to a separator. */
class Pieces {
  #source: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array();

  constructor(body: ReadableStream<Uint8Array>) {
    this.#source = body.values({ preventCancel: true });
  }

  /** Everything up to a separator, which is skipped. */
  async until(separator: Uint8Array, maxBytes: number): Promise<Uint8Array> {
    for (;;) {
      const found = indexOf(this.#buffer, separator);
      if (found !== -1) return this.#take(found, separator.byteLength);
      if (this.#buffer.byteLength > maxBytes || !(await this.#more())) throw new ImportError(errors.interrupted);
    }
  }

  /** The same, piece by piece. */
  async *stream(separator: Uint8Array): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const found = indexOf(this.#buffer, separator);
        if (found !== -1) {
          yield this.#take(found, separator.byteLength);
          return;
        }
        // The separator may have begun.
        const certain = this.#buffer.byteLength - separator.byteLength;
        if (certain > 0) yield this.#take(certain, 0);
        if (!(await this.#more())) throw new ImportError(errors.interrupted);
      }
    } finally {
      await this.release();
    }
  }

  /** Leaves the rest of the stream to others. */
  async release(): Promise<void> {
    await this.#source.return?.();
  }

  #take(length: number, skipped: number): Uint8Array {
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length + skipped);
    return taken;
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#buffer = joinBytes(this.#buffer, value);
    return true;
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.byteLength > bytes.byteLength) return -1;
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

const encoder = new TextEncoder();
