import type { ReactNode } from "react";
import { Picture } from "#app/ui/illustrations/picture.tsx";

export function Icon({ children }: { children: ReactNode }) {
  return (
    <Picture className="icon" viewBox="0 0 64 64">
      {children}
    </Picture>
  );
}
