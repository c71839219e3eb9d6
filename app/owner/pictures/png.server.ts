import { orientationOnly, readOrientation, turned } from "#app/owner/pictures/orientation.server.ts";
import { type CleanPicture, damaged, hasText, joined, part, viewOf } from "#app/owner/pictures/picture-bytes.server.ts";
import { pngChunk } from "#app/server/pictures/png-chunk.server.ts";

const SIGNATURE_LENGTH = 8;
const HEADER_LENGTH = 13;

/** What is needed to show it in the right colours. Texts, times, EXIF data and animations are not. */
const KEPT = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT", "bKGD", "pHYs"];

export function cleanPng(file: Uint8Array): CleanPicture {
  const view = viewOf(file);
  const kept = [part(file, 0, SIGNATURE_LENGTH)];
  let size: { width: number; height: number } | null = null;
  let orientation = 1;
  let hasData = false;
  let offset = SIGNATURE_LENGTH;
  for (let name = ""; name !== "IEND"; ) {
    const length = view.getUint32(offset);
    const chunk = part(file, offset, offset + length + 12);
    const data = chunk.subarray(8, 8 + length);
    name = String.fromCharCode(...chunk.subarray(4, 8));
    // Its end is the checksum.
    if (view.getUint32(offset + length + 8) !== viewOf(pngChunk(name, data)).getUint32(length + 8)) throw damaged();
    if ((name === "IHDR") !== (size === null)) throw damaged();
    if (name === "IHDR") size = readHeader(data);
    if (name === "IDAT") hasData = true;
    if (name === "eXIf") orientation = readOrientation(data);
    if (KEPT.includes(name)) kept.push(chunk);
    // Those in capitals are needed to show it, and there are no others.
    else if (!/^[a-z][A-Za-z]{3}$/.test(name)) throw damaged();
    offset += chunk.length;
  }
  if (size === null || !hasData) throw damaged();
  // Behind the header.
  if (orientation !== 1) kept.splice(2, 0, pngChunk("eXIf", orientationOnly(orientation)));
  return { type: "png", ...turned(size, orientation), bytes: joined(kept) };
}

export function isPng(file: Uint8Array): boolean {
  return hasText(file, 0, "\u0089PNG\r\n\u001a\n");
}

function readHeader(data: Uint8Array): { width: number; height: number } {
  if (data.length !== HEADER_LENGTH) throw damaged();
  const view = viewOf(data);
  return { width: view.getUint32(0), height: view.getUint32(4) };
}
