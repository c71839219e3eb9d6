import type { PictureType } from "#app/server/db/schema/pictures.server.ts";

/** A file that is not taken. The message is a sentence for the owner. */
export class PictureProblem extends Error {
  override readonly name = "PictureProblem";
}

export interface CleanPicture {
  type: PictureType;
  /** Pixels, as it is shown: a picture that lies on its side in the file has them swapped. */
  width: number;
  height: number;
  /** The file without anything that is not needed to show it. */
  bytes: Uint8Array<ArrayBuffer>;
}

export function damaged(): PictureProblem {
  return new PictureProblem("This file is damaged or incomplete. Choose it again, or save it again as a JPEG.");
}

/** @throws {@link PictureProblem} if the file ends earlier */
export function part(file: Uint8Array, start: number, end: number): Uint8Array {
  if (start > end || end > file.length) throw damaged();
  return file.subarray(start, end);
}

export function viewOf(file: Uint8Array): DataView {
  return new DataView(file.buffer, file.byteOffset, file.byteLength);
}

export function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, { byteLength }) => length + byteLength, 0));
  let offset = 0;
  for (const piece of parts) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}

/** Whether a text of ASCII characters stands at an offset. */
export function hasText(file: Uint8Array, offset: number, text: string): boolean {
  return Array.from(text).every((character, index) => file[offset + index] === character.charCodeAt(0));
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
