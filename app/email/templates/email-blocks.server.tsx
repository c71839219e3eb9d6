import type { ReactNode } from "react";
import { bodyFont } from "#app/email/templates/email-layout.server.tsx";
import { colour } from "#app/ui/theme.ts";

/** Parts of emails that only letters have. */

/** @param start the first number; null for bullets */
export function EmailList({ start, children }: { start: number | null; children: ReactNode }) {
  const style = { font: bodyFont, margin: "0 0 16px", padding: "0 0 0 26px" };
  if (start === null) return <ul style={style}>{children}</ul>;
  return (
    <ol start={start} style={style}>
      {children}
    </ol>
  );
}

export function EmailListItem({ children }: { children: ReactNode }) {
  return <li style={{ margin: "0 0 6px" }}>{children}</li>;
}

export function EmailQuote({ children }: { children: ReactNode }) {
  return (
    <blockquote
      className="e-quote"
      style={{ margin: "0 0 16px", padding: "2px 0 0 16px", borderLeft: `3px solid ${colour("secondary")}` }}
    >
      {children}
    </blockquote>
  );
}

export function EmailRule() {
  return (
    <hr className="e-rule" style={{ border: 0, borderTop: `1px solid ${colour("border")}`, margin: "8px 0 24px" }} />
  );
}

/** As wide as the text at most. Most inboxes show the description until the image is allowed to load. */
export function EmailImage({ source, alt, href }: { source: string; alt: string; href: string | null }) {
  const image = (
    // The low priority keeps React from adding a <link> that preloads the image.
    <img
      fetchPriority="low"
      src={source}
      alt={alt}
      style={{ display: "block", border: 0, maxWidth: "100%", height: "auto", font: bodyFont }}
    />
  );
  return <p style={{ margin: "0 0 16px" }}>{href === null ? image : <a href={href}>{image}</a>}</p>;
}
