import { linksView, signView } from "#app/owner/links/links-view.server.tsx";
import { qrSvg } from "#app/owner/links/qr-code.server.ts";
import { linkHref, linkProblems, readLink, taggedUrl } from "#app/owner/links/tagged-link.server.ts";
import { readNames } from "#app/owner/overview/stats.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { readForm } from "#app/server/read-form.server.ts";
import { colour } from "#app/ui/theme.ts";

/** The form, and below it the link that the query string describes. */
export async function showLinks(c: OwnerContext) {
  return respond(c, new URL(c.req.url).searchParams);
}

/** Only makes a link. It is a POST because the log records it. */
export async function makeLink(c: OwnerContext) {
  const form = await readForm(c.req.raw);
  const { app } = c.var;
  const link = readLink(form);
  const isValid = Object.keys(linkProblems(link, app.config.SITE_URL, c.var.publicPages)).length === 0;
  if (!isValid) return respond(c, form);
  const { line: _, ...labels } = link;
  await c.var.record("make-link", Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== "")));
  return c.redirect(linkHref("/owner/links", link), 303);
}

async function respond(c: OwnerContext, fields: URLSearchParams | FormData) {
  const { app, publicPages } = c.var;
  const { SITE_URL } = app.config;
  const isEmpty = !fields.has("page");
  const link = readLink(fields);
  const problems = isEmpty ? {} : linkProblems(link, SITE_URL, publicPages);
  const isValid = !isEmpty && Object.keys(problems).length === 0;
  const { utm_source: sources, utm_campaign: campaigns } = await readNames(app.db, ["utm_source", "utm_campaign"]);
  const url = isValid ? taggedUrl(SITE_URL, link) : null;
  c.status(isEmpty || isValid ? 200 : 422);
  return c.render(linksView({ link, problems, url, pages: publicPages, sources, campaigns }));
}

/** The sign to print. */
export function showSign(c: OwnerContext) {
  const link = readLink(new URL(c.req.url).searchParams);
  const url = validUrl(c);
  return url === null ? c.redirect(linkHref("/owner/links", link), 303) : c.render(signView({ link, url }));
}

/** The QR code as a file, for signs and leaflets that are designed elsewhere. */
export function downloadQrCode(c: OwnerContext) {
  const url = validUrl(c);
  if (url === null) return c.notFound();
  return c.body(qrSvg(url, { ink: colour("qrInk"), paper: colour("qrPaper") }), 200, {
    "Content-Type": "image/svg+xml",
    "Content-Disposition": 'attachment; filename="qr-code.svg"',
  });
}

function validUrl(c: OwnerContext): string | null {
  const { SITE_URL } = c.var.app.config;
  const link = readLink(new URL(c.req.url).searchParams);
  const problems = linkProblems(link, SITE_URL, c.var.publicPages);
  return Object.keys(problems).length === 0 ? taggedUrl(SITE_URL, link) : null;
}
