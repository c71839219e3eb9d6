import copyScript, { version } from "#app/features/links/copy.ts?inline-script";
import { type LinkStats, readLinkStats, statsOf } from "#app/features/links/link-stats.server.ts";
import { linkTitle, logDetails, readLink, removeLink, type StoredLink } from "#app/features/links/links.server.ts";
import { hasLetters, LetterButton } from "#app/features/links/links-page.server.tsx";
import { linkHref, taggedUrl } from "#app/features/links/tagged-link.server.ts";
import { Actions, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { scriptCsp, serveScript } from "#app/owner/ui/page-script.server.ts";
import { QrPicture } from "#app/owner/ui/qr-picture.server.tsx";
import { visits } from "#app/switches.ts";

/** One link of the list. */
export async function showLink(c: OwnerContext) {
  const { app } = c.var;
  const link = await findLink(c);
  if (link === undefined) return c.notFound();
  const stats = await readLinkStats(app);
  const url = taggedUrl(app.config.SITE_URL, link);
  return c.render(
    <Page
      title={linkTitle(link)}
      section="links"
      back={{ href: "/owner/links", name: "All links" }}
      head={<script src={`/owner/links/copy.js?v=${version}`} defer />}
    >
      <Outcome />
      <div className="columns link-columns">
        <div className="link-page">
          <code className="code-block link-address">{url}</code>
          {/* The script puts the button here. */}
          <div className="row link-actions" data-copy={url} />
          <LinkFacts link={link} stats={stats} timeZone={app.timeZone} />
          {hasLetters(c) ? <LetterButton link={link} /> : null}
          <Confirm
            question="Remove from the list"
            kind="quiet"
            text="The address and its QR codes go on working, and what they bring is still counted by their labels."
            label="Remove it"
            value="remove"
          />
        </div>
        <Section id="code" title="QR code" className="panel link-code">
          <QrPicture url={url} />
          <p className="hint">Scan the code with your phone before you print it.</p>
          <Actions>
            <ButtonLink label="Print a poster or flyers" href={linkHref("/owner/links/print", link)} />
            <ButtonLink
              label="Download PNG"
              kind="quiet"
              href={linkHref("/owner/links/qr.png", link)}
              download="qr-code.png"
            />
            <ButtonLink
              label="Download SVG"
              kind="quiet"
              href={linkHref("/owner/links/qr.svg", link)}
              download="qr-code.svg"
            />
          </Actions>
        </Section>
      </div>
    </Page>,
    { policy: scriptCsp },
  );
}

/** What the buttons on a link's page do. */
export async function changeLink(c: OwnerContext) {
  const link = await findLink(c);
  // Another owner was quicker, or the button was pressed twice.
  if (link === undefined) return c.redirect("/owner/links?done=unchanged", 303);
  return runIntent(c, {
    remove: async () => {
      const isRemoved = await removeLink(c.var.app.db, link.id);
      if (isRemoved) await c.var.record("remove-link", { linkId: link.id, ...logDetails(link) });
      return c.redirect(`/owner/links?done=${isRemoved ? "remove-link" : "unchanged"}`, 303);
    },
  });
}

export function serveCopyScript(c: OwnerContext): Response {
  return serveScript(c, copyScript, version);
}

async function findLink(c: OwnerContext): Promise<StoredLink | undefined> {
  return readLink(c.var.app.db, parseId(c.req.param("id")) ?? 0);
}

function LinkFacts({ link, stats, timeZone }: { link: StoredLink; stats: LinkStats; timeZone: string }) {
  const { utm_source, utm_medium, utm_campaign } = link;
  const { visits: visited, joined } = statsOf(stats, link);
  const people = { utm_source, ...(utm_campaign === "" ? { without: "utm_campaign" } : { utm_campaign }) };
  return (
    <Facts
      facts={[
        ["Where it is used", utm_source],
        ["Medium", utm_medium || null],
        ["Campaign", utm_campaign || null],
        ["Made", `${formatTime(link.created_at, timeZone)} by ${link.actor}`],
        ["Visits", visits ? formatNumber(visited) : null],
        [
          "Joined",
          joined === 0 ? (
            "0"
          ) : (
            <a key="joined" className="quiet-link" href={`/owner/entries?${new URLSearchParams(people)}`}>
              {formatNumber(joined)}
            </a>
          ),
        ],
      ]}
    />
  );
}
