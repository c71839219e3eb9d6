import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { qrPng } from "#app/features/links/qr-png.server.ts";
import { qrCode } from "#app/server/qr-code.server.ts";

test("a QR code as PNG has the same modules as the drawn one, in pixels of their own", async () => {
  const text = "https://stallwright.example/?utm_source=fair&utm_campaign=autumn";
  const png = Buffer.from(await (await qrPng(text, { ink: "#102030", paper: "#fffefd" })).arrayBuffer());
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  const width = png.readUInt32BE(16);
  const { rows, size } = qrCode(text);
  const scale = width / size;
  expect([Number.isInteger(scale), width >= 1_000, png.readUInt32BE(20)]).toEqual([true, true, width]);
  // One bit for each pixel, a number of the palette: paper, then ink.
  expect([png[24], png[25]]).toEqual([1, 3]);
  const palette = png.indexOf("PLTE") + 4;
  expect([...png.subarray(palette, palette + 6)]).toEqual([0xff, 0xfe, 0xfd, 0x10, 0x20, 0x30]);
  const data = png.indexOf("IDAT");
  const lines = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
  const lineLength = 1 + Math.ceil(width / 8);
  expect(lines).toHaveLength(width * lineLength);
  const isDark = (x: number, y: number) => (((lines[y * lineLength + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
  const drawn = (offset: number) =>
    rows.map((row, y) => row.map((_, x) => isDark(x * scale + offset, y * scale + offset)));
  expect(drawn(0)).toEqual(rows);
  expect(drawn(scale - 1)).toEqual(rows);
});
