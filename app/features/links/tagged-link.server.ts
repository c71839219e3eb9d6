import { fieldText } from "#app/server/http/read-form.server.ts";
import { isStorableName } from "#app/waitlist/entries/campaign-name.ts";

/** A link into the site that says where it was found. */
export interface TaggedLink {
  /** A page of the site. */
  page: string;
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
}

export type LinkProblems = Partial<Record<keyof TaggedLink, string>>;

/** The fields of a link as typed, without spaces around them. */
export function readLink(fields: { get(name: string): unknown }): TaggedLink {
  return {
    page: fieldText(fields, "page"),
    utm_source: fieldText(fields, "utm_source"),
    utm_medium: fieldText(fields, "utm_medium"),
    utm_campaign: fieldText(fields, "utm_campaign"),
  };
}

export function linkProblems(link: TaggedLink, siteUrl: string, pages: readonly { path: string }[]): LinkProblems {
  const problems: LinkProblems = {};
  if (taggedUrl(siteUrl, link).length > MAX_URL) problems.utm_campaign = TOO_LONG;
  if (pages.every(({ path }) => path !== link.page)) problems.page = "Choose a page of this site.";
  if (link.utm_source === "") problems.utm_source = "Say where you will use the link, such as newsletter or poster.";
  for (const label of ["utm_source", "utm_medium", "utm_campaign"] as const) {
    if (link[label] !== "" && !isStorableName(link[label])) problems[label] = LABEL_RULE;
  }
  return problems;
}

/** Characters. A longer link makes a QR code too fine for phones to read from a step away. */
const MAX_URL = 300;

const TOO_LONG = "Use shorter labels: phones could not read the QR code of such a long link.";

/** Other labels would be counted as “other”. */
const LABEL_RULE = `Begin with a letter or digit, and use at most 64 letters, digits, spaces and _ . : + ~ / | & , -`;

export function taggedUrl(siteUrl: string, { page, ...labels }: TaggedLink): string {
  const search = new URLSearchParams();
  for (const label of ["utm_source", "utm_medium", "utm_campaign"] as const) {
    if (labels[label] !== "") search.set(label, labels[label]);
  }
  return search.size === 0 ? `${siteUrl}${page}` : `${siteUrl}${page}?${search}`;
}

export function linkHref(
  path: "/owner/links" | "/owner/links/print" | "/owner/links/qr.svg",
  link: TaggedLink,
): string {
  return `${path}?${new URLSearchParams(Object.entries(link).filter(([, value]) => value !== ""))}`;
}
