import type { ReactNode } from "react";
import type { PolicyChange } from "#app/features/legal/commitments.ts";
import type { PolicyDate } from "#app/features/legal/page.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import type { PageRecord } from "#app/server/page-record.ts";
import { BackHome } from "#app/ui/back-home.tsx";

interface PolicyPageProps {
  page: PageRecord;
  title: string;
  updated: PolicyDate;
  changes: PolicyChange[];
  children: ReactNode;
}

export function PolicyPage({ page, title, updated, changes, children }: PolicyPageProps) {
  return (
    <main id="main" className="prose policy">
      <PageMeta page={page} />
      <BackHome />
      <article>
        <h1>{title}</h1>
        <p className="muted">
          Last updated <time dateTime={updated.iso}>{updated.text}</time>, and amended since:
        </p>
        <ul className="policy-changes">
          {changes.map(({ iso, text, what }) => (
            <li key={what}>
              <strong>
                <time dateTime={iso}>{text}</time>:
              </strong>{" "}
              <span>{what}</span>
            </li>
          ))}
        </ul>
        {children}
      </article>
      <BackHome />
    </main>
  );
}

/** @param props.id - the section's anchor, which other pages link to */
export function PolicySection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}
