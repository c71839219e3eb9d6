import type { ReactNode } from "react";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/** A drawing as wide as its card, cropped from the top. Uses `SharedParts`. */
export function Scene({ children }: { children: ReactNode }) {
  return (
    <Picture className="scene" viewBox="0 0 400 210" preserveAspectRatio="xMidYMax slice">
      {children}
    </Picture>
  );
}
