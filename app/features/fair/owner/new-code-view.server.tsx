import { formatClock } from "#app/features/fair/owner/device-words.server.ts";
import { Actions, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Message, Page, Section } from "#app/owner/ui/page.server.tsx";
import { QrPicture } from "#app/owner/ui/qr-picture.server.tsx";

interface NewCodeProps {
  id: number;
  event: string;
  /** What the tablet opens, with the code in it. */
  url: string;
  /** Until when the code works (milliseconds since 1970). */
  until: number;
  timeZone: string;
}

/** The only page that shows a code. */
export function newCodeView({ id, event, url, until, timeZone }: NewCodeProps) {
  return (
    <Page title="Scan this code" section="fair" back={{ href: "/owner/fair", name: "Back to the tablets" }}>
      <Message kind="success">{`The code for “${event}” is ready. It sets up tablet ${id}.`}</Message>
      <div className="fair-code">
        <QrPicture url={url} label="QR code that sets up the tablet" />
        <div>
          <ol>
            <li>Scan the code with the tablet’s camera while the tablet is online.</li>
            <li>Open the link in the tablet’s browser. The form appears.</li>
            <li>From then on, the form also works offline.</li>
          </ol>
          <p>{`The code works for one tablet, until ${formatClock(until, timeZone)}. Only this page shows it.`}</p>
          <Section id="link" title="Without a camera">
            <p>Open this link on the tablet. The first device that opens it is the one set up, so do not share it.</p>
            <code className="code-block">{url}</code>
          </Section>
          <Actions>
            <ButtonLink label="The tablet is set up" href="/owner/fair" />
          </Actions>
        </div>
      </div>
    </Page>
  );
}
