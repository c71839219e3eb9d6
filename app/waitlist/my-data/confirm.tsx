import { Suspense } from "react";
import { site } from "#app/site.ts";
import { DEFAULT_SOURCE } from "#app/waitlist/entries/sources.ts";
import { BadLink, Gone } from "#app/waitlist/my-data/my-data.tsx";
import { Ticket } from "#app/waitlist/sign-up/ticket/on-demand.ts";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

export type ConfirmView =
  | { kind: "bad-link" }
  | { kind: "gone" }
  | { kind: "unconfirmed" | "unsubscribed"; masked: string }
  | { kind: "confirmed"; masked: string; ticket: TicketData };

interface ConfirmProps {
  view: ConfirmView;
  message: string | null;
}

/** The result of the last change, from a query such as `?done=confirm`; null if the entry's state contradicts it. */
export function confirmMessage(search: URLSearchParams, kind: ConfirmView["kind"]): string | null {
  if (kind !== "confirmed") return null;
  if (search.get("done") === "confirm") return "Thank you. Your address is confirmed.";
  return search.get("already") === "confirm" ? "Your address was already confirmed." : null;
}

/** The page behind a confirmation link. A button, because email scanners open links. */
export function Confirm({ view, message }: ConfirmProps) {
  const heading = view.kind === "confirmed" ? "You’re on the list" : "Confirm your address";
  return (
    <main id="main" className="prose your-entry">
      <title>{`${heading} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>{heading}</h1>
      {message === null ? null : (
        <p className="your-entry-answer" role="status">
          {message}
        </p>
      )}
      <State view={view} />
    </main>
  );
}

function State({ view }: Omit<ConfirmProps, "message">) {
  switch (view.kind) {
    case "bad-link":
      return <BadLink />;
    case "gone":
      return <Gone />;
    case "unsubscribed":
      return (
        <p className="lead">
          <strong>{view.masked}</strong> is no longer on the waitlist.
        </p>
      );
    case "confirmed":
      return (
        <>
          <p className="lead">
            <strong>{view.masked}</strong> is on the waitlist.
          </p>
          <div className="sign-up-ticket" aria-live="polite">
            <Suspense>
              <Ticket {...view.ticket} id="confirmed" source={DEFAULT_SOURCE} />
            </Suspense>
          </div>
        </>
      );
    case "unconfirmed":
      return (
        <form method="post">
          <p className="lead">
            Is <strong>{view.masked}</strong> your address, and do you want to be on the waitlist?
          </p>
          <button className="button" type="submit">
            Confirm my address
          </button>
        </form>
      );
  }
}
