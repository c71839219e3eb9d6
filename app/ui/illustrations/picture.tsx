import type { ReactElement } from "react";
import { Still } from "#app/ui/still.tsx";

interface PictureProps {
  className?: string;
  viewBox: string;
  preserveAspectRatio?: string;
  /** What it shows: an element that is made once, outside of any component. */
  drawing: ReactElement;
}

/** A drawing, which is decoration always. */
export function Picture({ drawing, ...props }: PictureProps) {
  return <Still as="svg" {...props} aria-hidden="true" content={drawing} />;
}
