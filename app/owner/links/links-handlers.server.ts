import { linksView, signView } from "#app/owner/links/links-view.server.tsx";
import { qrSvg } from "#app/owner/links/qr-code.server.ts";
import { linkHref, linkProblems, readLink, taggedUrl } from "#app/owner/links/tagged-link.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { colour } from "#app/ui/theme.ts";
import { readNames } from "#app/waitlist/used-names.server.ts";

/** The form, and below it the link that the query string describes. */
export async function showLinks(c: OwnerContext) {
  return respond(c, new URL(c.req.url).searchParams);
}

/** Only makes a link. It is a POST because the log records it. */
export async function makeLink(c: OwnerContext) {
  const { link, url } = checkLink(c, c.var.form);
  if (url === null) return respond(c, c.var.form);
  const { line: _, ...labels } = link;
  await c.var.record("make-link", Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== "")));
  return c.redirect(linkHref("/owner/links", link), 303);
}

async function respond(c: OwnerContext, fields: URLSearchParams | FormData) {
  const { app, publicPages: pages } = c.var;
  const isEmpty = !fields.has("page");
  const { link, problems, url } = checkLink(c, fields);
  const { utm_source: sources, utm_campaign: campaigns } = await readNames(app.db, ["utm_source", "utm_campaign"]);
  if (!isEmpty && url === null) c.status(422);
  return c.render(linksView({ link, problems: isEmpty ? {} : problems, url, pages, sources, campaigns }));
}

/** The sign to print. */
export function showSign(c: OwnerContext) {
  const { link, url } = checkLink(c);
  return url === null ? c.redirect(linkHref("/owner/links", link), 303) : c.render(signView({ link, url }));
}

/** The QR code as a file, for signs and leaflets that are designed elsewhere. */
export function downloadQrCode(c: OwnerContext) {
  const { url } = checkLink(c);
  if (url === null) return c.notFound();
  return c.body(qrSvg(url, { ink: colour("qrInk"), paper: colour("qrPaper") }), 200, {
    "Content-Type": "image/svg+xml",
    "Content-Disposition": 'attachment; filename="qr-code.svg"',
  });
}

/** The link that some fields describe, those of the query string by default; with its URL if nothing is wrong with it. */
function checkLink(c: OwnerContext, fields: URLSearchParams | FormData = new URL(c.req.url).searchParams) {
  const { SITE_URL } = c.var.app.config;
  const link = readLink(fields);
  const problems = linkProblems(link, SITE_URL, c.var.publicPages);
  return { link, problems, url: Object.keys(problems).length === 0 ? taggedUrl(SITE_URL, link) : null };
}
