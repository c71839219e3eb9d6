import { checkLink } from "#app/features/links/check-link.server.ts";
import { hasLetters } from "#app/features/links/letter-button.server.tsx";
import { linksView } from "#app/features/links/links-view.server.tsx";
import { linkHref } from "#app/features/links/tagged-link.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { qrSvg } from "#app/server/qr-code.server.ts";
import { colour } from "#app/ui/theme.ts";
import { readNames } from "#app/waitlist/entries/used-names.server.ts";

/** The form, and below it the link that the query string describes. */
export async function showLinks(c: OwnerContext) {
  return respond(c, new URL(c.req.url).searchParams);
}

/** Only makes a link. It is a POST because the log records it. */
export async function makeLink(c: OwnerContext) {
  const { link, url } = checkLink(c, c.var.form);
  if (url === null) return respond(c, c.var.form);
  await c.var.record("make-link", Object.fromEntries(Object.entries(link).filter(([, value]) => value !== "")));
  return c.redirect(linkHref("/owner/links", link), 303);
}

async function respond(c: OwnerContext, fields: URLSearchParams | FormData) {
  const { app, publicPages: pages } = c.var;
  const isEmpty = !fields.has("page");
  const { link, problems, url } = checkLink(c, fields);
  const names = await readNames(app.db, ["utm_source", "utm_campaign"]);
  if (!isEmpty && url === null) c.status(422);
  return c.render(linksView({ link, problems: isEmpty ? {} : problems, url, pages, names, hasLetters: hasLetters(c) }));
}

/** The QR code as a file, for signs and leaflets that are designed elsewhere. */
export function downloadQrCode(c: OwnerContext) {
  const { url } = checkLink(c, new URL(c.req.url).searchParams);
  if (url === null) return c.notFound();
  return c.body(qrSvg(url, { ink: colour("qrInk"), paper: colour("qrPaper") }), 200, {
    "Content-Type": "image/svg+xml",
    "Content-Disposition": 'attachment; filename="qr-code.svg"',
  });
}
