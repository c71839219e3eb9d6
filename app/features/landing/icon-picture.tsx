import type { icons } from "#app/features/landing/icons.tsx";

export type IconName = keyof typeof icons;

/** An icon of public/icons.svg, which browsers load when the first one comes near the view. */
export function IconPicture({ name }: { name: IconName }) {
  return (
    <img className="icon" src={`/icons.svg#${name}`} alt="" width="64" height="64" loading="lazy" decoding="async" />
  );
}
