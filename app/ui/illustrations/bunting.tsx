import { Picture } from "#app/ui/illustrations/picture.tsx";

const hues = ["clay", "gold", "green"] as const;

/** Where the line hangs: two bows of this width and depth, side by side. */
const BOW = { width: 600, depth: 38, flags: 9 };

/** Flags on a line. It sways once, when the page opens. */
export function Bunting() {
  return <Picture className="bunting" viewBox="0 0 1200 84" preserveAspectRatio="xMidYMin slice" drawing={line} />;
}

const line = <Line />;

function Line() {
  return (
    <g className="sway">
      {hues.map((hue) => (
        <path key={hue} className={hue} d={flagsOf(hue)} />
      ))}
      <path className="pen string" d={`M0 4${`q300 ${2 * BOW.depth} 600 0`.repeat(2)}`} />
      <path className="lamps" d={lamps} />
    </g>
  );
}

/** Between every two flags a lamp, drawn as the round end of a line without length. */
const lamps = Array.from({ length: 2 * BOW.flags }, (_, index) => Math.round((index * BOW.width) / BOW.flags))
  .map((x) => `M${x} ${hang(x) + 5}h0`)
  .join("");

/** All flags of one colour as one path. */
function flagsOf(hue: (typeof hues)[number]): string {
  return Array.from({ length: 2 * BOW.flags }, (_, index) => index)
    .filter((index) => hues[index % hues.length] === hue)
    .map((index) => {
      const start = ((index + 0.18) * BOW.width) / BOW.flags;
      const end = start + 42;
      const middle = (start + end) / 2;
      // The tip leans towards the middle of its bow, as cloth does on a slack line.
      const tip = Math.round(middle + (hang(end) - hang(start)) * -0.8);
      return `M${round(start)} ${hang(start)}L${round(end)} ${hang(end)} ${tip} ${hang(middle) + 36}z`;
    })
    .join("");
}

function hang(x: number): number {
  const t = (x % BOW.width) / BOW.width;
  return round(4 + 4 * BOW.depth * t * (1 - t));
}

function round(value: number): number {
  return Math.round(value);
}
