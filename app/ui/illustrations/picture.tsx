import type { ReactNode } from "react";

/** A decorative drawing, hidden from assistive technology. */
export function Picture(props: {
  className?: string;
  viewBox: string;
  preserveAspectRatio?: string;
  children: ReactNode;
}) {
  return <svg {...props} aria-hidden="true" />;
}
