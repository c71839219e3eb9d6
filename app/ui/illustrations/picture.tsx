import type { ReactNode } from "react";

interface PictureProps {
  className?: string;
  viewBox: string;
  preserveAspectRatio?: string;
  children: ReactNode;
}

/** A decorative drawing, hidden from assistive technology. */
export function Picture(props: PictureProps) {
  return <svg {...props} aria-hidden="true" />;
}
