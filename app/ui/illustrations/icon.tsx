import type { ReactNode } from "react";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/** A drawing of 64 units, lined in the colour of text. */
export function Icon({ children }: { children: ReactNode }) {
  return (
    <Picture className="icon" viewBox="0 0 64 64">
      {children}
    </Picture>
  );
}
