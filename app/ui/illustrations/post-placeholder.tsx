import { glow } from "#app/ui/illustrations/glow.ts";
import { Person, Scene, Stall } from "#app/ui/illustrations/parts.tsx";

/** A stall and a person, for posts without a picture. Neighbouring placeholders differ. */
export function PostPlaceholder({ index }: { index: number }) {
  const { hue, goods } = stalls[index % stalls.length] ?? stalls[0];
  return (
    <Scene>
      <Meadow />
      <Stall at="translate(190 188)scale(.84)" hue={hue} goods={goods} />
      <Person at="translate(306 192)scale(.9)" hue="gold" skin="3" />
    </Scene>
  );
}

const stalls = [
  { hue: "green", goods: "prints" },
  { hue: "clay", goods: "scarves" },
  { hue: "gold", goods: "pots" },
] as const;

export function Meadow() {
  return (
    <>
      <path className="hill" d="M0 116q120-44 220-14t180-12v120H0z" />
      <path className="grass" d="M0 160q190-28 400-4v54H0z" />
      <ellipse className="night" cx="200" cy="110" rx="190" ry="110" fill={glow} />
    </>
  );
}
