import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { isStorableName } from "#app/waitlist/entries/campaign-name.ts";

const labels = ["utm_source", "utm_medium", "utm_campaign"] as const;

/** A link into the site that says where it was found: a page of the site, and labels. */
export type TaggedLink = Record<"page" | (typeof labels)[number], string>;

export type LinkProblems = Partial<Record<keyof TaggedLink, string>>;

/** Characters. A longer link makes a QR code too fine for phones to read from a step away. */
const MAX_URL = 300;

const TOO_LONG = "Use shorter labels: phones could not read the QR code of such a long link.";

/** Other labels would be counted as “other”. */
const LABEL_RULE = `Begin with a letter or digit, and use at most 64 letters, digits, spaces and _ . : + ~ / | & , -`;

/** The link that some fields describe, as typed but without spaces around them; with its URL if nothing is wrong with it. */
export function checkLink(c: OwnerContext, fields: URLSearchParams | FormData) {
  const text = (name: string) => fieldText(fields, name);
  const link: TaggedLink = {
    page: text("page"),
    utm_source: text("utm_source"),
    utm_medium: text("utm_medium"),
    utm_campaign: text("utm_campaign"),
  };
  const url = taggedUrl(c.var.app.config.SITE_URL, link);
  const problems: LinkProblems = {};
  if (url.length > MAX_URL) problems.utm_campaign = TOO_LONG;
  if (c.var.publicPages.every(({ path }) => path !== link.page)) problems.page = "Choose a page of this site.";
  if (link.utm_source === "") problems.utm_source = "Say where you will use the link, such as newsletter or poster.";
  for (const label of labels) {
    if (link[label] !== "" && !isStorableName(link[label])) problems[label] = LABEL_RULE;
  }
  return { link, problems, url: Object.keys(problems).length === 0 ? url : null };
}

export function taggedUrl(siteUrl: string, link: TaggedLink): string {
  const search = new URLSearchParams(labels.flatMap((label) => (link[label] === "" ? [] : [[label, link[label]]])));
  return search.size === 0 ? `${siteUrl}${link.page}` : `${siteUrl}${link.page}?${search}`;
}

type LinkPath = "/owner/links" | "/owner/links/print" | "/owner/links/qr.svg" | "/owner/links/qr.png";

export function linkHref(path: LinkPath, link: TaggedLink): string {
  const fields = (["page", ...labels] as const).map((name) => [name, link[name]] as [string, string]);
  return `${path}?${new URLSearchParams(fields.filter(([, value]) => value !== ""))}`;
}
