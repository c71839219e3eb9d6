import type { TaggedLink } from "#app/features/links/tagged-link.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

/** Whether this site has letters. */
export function hasLetters(c: OwnerContext): boolean {
  return c.var.sections.some(({ section }) => section === "letters");
}

type Tag = Partial<Pick<TaggedLink, "utm_source" | "utm_campaign">>;

/** Begins a letter to the people who joined through links with these labels. The medium is not stored with them. */
export function LetterButton({ link, label, describedBy }: { link: Tag; label?: string; describedBy?: string }) {
  const { utm_source, utm_campaign } = link;
  const labels = Object.entries({ utm_source, utm_campaign }).filter(([, value]) => value);
  return (
    <ButtonForm
      action="/owner/letters/for"
      hidden={Object.fromEntries(labels) as Record<string, string>}
      label={label ?? "Write a letter to the people who joined through it"}
      describedBy={describedBy}
    />
  );
}
