import { Picture } from "#app/ui/illustrations/picture.tsx";

const hues = ["clay", "gold", "green"] as const;

/** The line hangs in two bows of this size, side by side. */
const BOW = { width: 600, depth: 38, flags: 9 };

/** A line of flags that sways once on page load. */
export function Bunting() {
  return (
    <Picture className="bunting" viewBox="0 0 1200 84" preserveAspectRatio="xMidYMin slice">
      <g className="sway">
        {hues.map((hue) => (
          <path key={hue} className={hue} d={flagsOf(hue)} />
        ))}
        <path className="pen string" d={`M0 4${`q300 ${2 * BOW.depth} 600 0`.repeat(2)}`} />
        <path className="lamps" d={lamps} />
      </g>
    </Picture>
  );
}

/** A lamp between every two flags, drawn as the round cap of a zero-length line. */
const lamps = Array.from({ length: 2 * BOW.flags }, (_, index) => Math.round((index * BOW.width) / BOW.flags))
  .map((x) => `M${x} ${lineY(x) + 5}h0`)
  .join("");

/** All flags of one colour, as one path. */
function flagsOf(hue: (typeof hues)[number]): string {
  return Array.from({ length: 2 * BOW.flags }, (_, index) => index)
    .filter((index) => hues[index % hues.length] === hue)
    .map((index) => {
      const start = ((index + 0.18) * BOW.width) / BOW.flags;
      const end = start + 42;
      const middle = (start + end) / 2;
      // The tip leans towards the middle of its bow.
      const tip = Math.round(middle + (lineY(end) - lineY(start)) * -0.8);
      return `M${round(start)} ${lineY(start)}L${round(end)} ${lineY(end)} ${tip} ${lineY(middle) + 36}z`;
    })
    .join("");
}

function lineY(x: number): number {
  const t = (x % BOW.width) / BOW.width;
  return round(4 + 4 * BOW.depth * t * (1 - t));
}

function round(value: number): number {
  return Math.round(value);
}
