import type { ReactElement } from "react";
import { Still } from "#app/ui/still.tsx";

interface PictureProps {
  className?: string;
  viewBox: string;
  preserveAspectRatio?: string;
  /** A constant, created outside of any component. */
  drawing: ReactElement;
}

/** A decorative drawing, hidden from assistive technology. */
export function Picture({ drawing, ...props }: PictureProps) {
  return <Still as="svg" {...props} aria-hidden="true" content={drawing} />;
}
