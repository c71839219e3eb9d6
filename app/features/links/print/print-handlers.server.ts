import { checkLink } from "#app/features/links/check-link.server.ts";
import { hasLetters } from "#app/features/links/links-page.server.tsx";
import { toFormat, toStyle } from "#app/features/links/print/formats.ts";
import { MAX_HEADLINE, readHeadline } from "#app/features/links/print/headline.ts";
import { printView } from "#app/features/links/print/print-view.server.tsx";
import { linkHref } from "#app/features/links/tagged-link.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";

/** All that is printed is in the query string, so that it can be kept as a bookmark. */
export function showPrint(c: OwnerContext) {
  const fields = new URL(c.req.url).searchParams;
  const { link, url } = checkLink(c, fields);
  if (url === null) return c.redirect(linkHref("/owner/links", link), 303);
  const headline = readHeadline(fieldText(fields, "headline"));
  const isTooLong = headline.length > MAX_HEADLINE;
  if (isTooLong) c.status(422);
  return c.render(
    printView({
      link,
      url,
      headline,
      problem: isTooLong ? `Use at most ${MAX_HEADLINE} characters.` : undefined,
      format: toFormat(fieldText(fields, "format")),
      style: toStyle(fieldText(fields, "style")),
      isLaunched: c.var.app.config.LAUNCH_URL !== undefined,
      hasLetters: hasLetters(c),
    }),
  );
}
