import type { ReactElement } from "react";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/** A drawing as wide as its card, cropped from the top. Uses `defs` of `MarketScene`. */
export function Scene({ drawing }: { drawing: ReactElement }) {
  return <Picture className="scene" viewBox="0 0 400 210" preserveAspectRatio="xMidYMax slice" drawing={drawing} />;
}
