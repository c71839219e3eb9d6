import type { ReactNode } from "react";
import type { PolicyDate } from "#app/features/legal/change-dates.ts";
import type { PolicyChange } from "#app/features/legal/commitments.ts";
import { BackHome } from "#app/ui/back-home.tsx";

interface PolicyPageProps {
  title: string;
  updated: PolicyDate;
  changes: PolicyChange[];
  children: ReactNode;
}

export function PolicyPage({ title, updated, changes, children }: PolicyPageProps) {
  return (
    <main id="main" className="prose policy">
      <BackHome />
      <article>
        <h1>{title}</h1>
        <p className="muted">
          Last updated <time dateTime={updated.iso}>{updated.text}</time>
        </p>
        {changes.map(({ iso, text, what }) => (
          <p key={iso} className="policy-change">
            <strong>
              Amended <time dateTime={iso}>{text}</time>:
            </strong>{" "}
            <span>{what}</span>
          </p>
        ))}
        {children}
      </article>
      <BackHome />
    </main>
  );
}

interface PolicySectionProps {
  /** The section's anchor, which other pages link to. */
  id: string;
  title: string;
  children: ReactNode;
}

export function PolicySection({ id, title, children }: PolicySectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}
