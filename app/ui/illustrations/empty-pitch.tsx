import { Picture } from "#app/ui/illustrations/picture.tsx";

/** A pitch without its stall: two poles, a line and a dropped flag. */
export function EmptyPitch() {
  return (
    <Picture viewBox="0 0 320 180">
      <path className="grass" d="M10 150q150-22 300 0-10 26-150 26T10 150z" />
      <path className="pole" d="M60 30 64 154M262 24l-6 130" />
      <path className="pen string" d="M60 34q100 60 202-8" />
      <path className="clay" d="m84 46 24 7-18 25z" />
      <path className="gold" d="m122 55 25 1-14 27z" />
      <path className="green" d="m198 134 30-4-8 26z" />
      <path fill="var(--cloth)" d="M104 118h72l10 34H92z" />
      <path className="pen" d="M104 118h72l10 34H92zM116 130h46M112 140h34" />
    </Picture>
  );
}
