// uqr: no dependencies, 6 KB gzip, and it returns the modules, so that this site draws its own SVG.
import { encode } from "uqr";

/** Light modules around the code, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4;

/** A QR code: its rows, in which dark modules are true, and their path in a square of `size` units. Both have the quiet zone. */
export function qrCode(text: string): { rows: boolean[][]; path: string; size: number } {
  // Level M is readable with 15% of the code damaged.
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  return { rows: data, path: data.map(rowPath).join(""), size };
}

function rowPath(row: boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x += 1) {
    const start = x;
    while (row[x]) x += 1;
    if (x > start) path += `M${start} ${y}h${x - start}v1h-${x - start}z`;
  }
  return path;
}

export function qrSvg(text: string, colours: { ink: string; paper: string }): string {
  const { path, size } = qrCode(text);
  const box = `<rect width="${size}" height="${size}" fill="${colours.paper}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">${box}<path d="${path}" fill="${colours.ink}"/></svg>\n`;
}
