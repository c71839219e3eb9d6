import { Picture } from "#app/ui/illustrations/picture.tsx";

/** Letters and flags pegged to a line, as wide as the page. Sways once on page load, as bunting does. */
export function LetterLine() {
  return (
    <div className="bunting">
      {["", "from-576", "from-1200"].map((width) => (
        <Picture key={width} className={`bow ${width}`} viewBox="0 0 600 124">
          {width === "" ? <Line /> : <use href="#letter-bow" />}
        </Picture>
      ))}
    </div>
  );
}

function Line() {
  return (
    <g id="letter-bow">
      <path className="clay" d="m24 9 44 9-28 30z" />
      <path className="green" d="m264 41 44 1-22 36z" />
      <path className="gold" d="m532 18 44-10-15 39z" />
      <path className="pen string" d="M0 4q300 76 600 0" />
      <path className="lamps glow" d={lamps} />
      <path className="lamps" d={lamps} />
      <Letter at="translate(152 27)rotate(5)" seal="gold" />
      <Letter at="translate(418 29)rotate(-5)" seal="clay" />
    </g>
  );
}

const lamps = "M90 27h0M226 42h0M344 42h0M510 27h0";

/** The origin is the middle of its upper edge, where the peg is. */
function Letter({ at, seal }: { at: string; seal: "gold" | "clay" }) {
  return (
    <g transform={at}>
      <path fill="var(--cloth)" d="M-48 2h96v66h-96z" />
      <path className="pen" d="M-48 2h96v66h-96zL0 40 48 2M-48 68l36-36M48 68 12 32" />
      <circle className={seal} cy="38" r="9" />
      <path fill="var(--wood)" d="M-4-8h8v24h-8z" />
    </g>
  );
}
