import { Person } from "#app/ui/illustrations/people.tsx";
import { Scene } from "#app/ui/illustrations/scene.tsx";
import { Stall } from "#app/ui/illustrations/stall.tsx";

/** A stall and a person, for posts without a picture. Neighbouring placeholders differ. */
export function PostPlaceholder({ index }: { index: number }) {
  return <Scene drawing={drawings[index % drawings.length] ?? drawings[0]} />;
}

const drawings = [
  <Pitch key="prints" hue="green" goods="prints" />,
  <Pitch key="scarves" hue="clay" goods="scarves" />,
  <Pitch key="pots" hue="gold" goods="pots" />,
] as const;

function Pitch({ hue, goods }: Pick<Parameters<typeof Stall>[0], "hue" | "goods">) {
  return (
    <>
      <Meadow />
      <Stall at="translate(190 188)scale(.84)" hue={hue} goods={goods} />
      <Person at="translate(306 192)scale(.9)" hue="gold" skin="3" />
    </>
  );
}

/** The background of all placeholders. */
export function Meadow() {
  return (
    <>
      <path className="hill" d="M0 116q120-44 220-14t180-12v120H0z" />
      <path className="grass" d="M0 160q190-28 400-4v54H0z" />
      <ellipse className="night" cx="200" cy="110" rx="190" ry="110" fill="url(#glow)" />
    </>
  );
}
