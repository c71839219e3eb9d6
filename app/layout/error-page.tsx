import { createContext, type ReactNode, use } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { site } from "#app/site.ts";
import { EmptyPitch } from "#app/ui/illustrations/empty-pitch.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { useLastReply } from "#app/waitlist/sign-up/last-reply.ts";

/** The log reference of the error shown on this page, or null. Only the server knows it. */
export const ErrorReference = /* @__PURE__ */ createContext<string | null>(null);

/** What visitors read if this page failed because D1 refuses queries; otherwise null. */
export const LimitNotice = /* @__PURE__ */ createContext<string | null>(null);

/** Replaces a page that failed, was not found or rejected a form. */
export function ErrorPage({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return status === 404 ? <NotFoundPage /> : <FailurePage status={status} />;
}

export function NotFoundPage() {
  return (
    <ErrorLayout title="Page not found" heading="This pitch is empty">
      <p className="lead">There’s no page at this address. It may have moved, or the link may be incomplete.</p>
    </ErrorLayout>
  );
}

/** Where a form was being sent, what came of it shows too. */
function FailurePage({ status }: { status: number }) {
  const { heading, lead, reference } = useFailureText(status);
  const reply = useLastReply();
  const { pathname } = useLocation();
  const reopen = (
    <a className="button" href={onThisSite(pathname)}>
      Open the page again
    </a>
  );
  return (
    <ErrorLayout heading={heading} action={status < 500 ? reopen : undefined}>
      <div role="status">{reply === "" ? null : <p className="lead">{reply}</p>}</div>
      <p className="lead" data-failure="">
        {lead}
      </p>
      {reference && (
        <p>
          If you write to us about it, please quote{" "}
          <strong translate="no" data-reference="">
            {reference}
          </strong>
        </p>
      )}
    </ErrorLayout>
  );
}

/** Other sites can send a form to `//evil.example`, which as a link would lead there. */
function onThisSite(pathname: string): string {
  return pathname.replace(/^[/\\]+/, "/");
}

interface ErrorLayoutProps {
  heading: string;
  title?: string;
  action?: ReactNode;
  children: ReactNode;
}

function ErrorLayout({ heading, title = heading, action, children }: ErrorLayoutProps) {
  return (
    <main id="main" className="prose error-page">
      <title>{`${title} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <EmptyPitch />
      <h1>{heading}</h1>
      {children}
      {action ?? (
        <PageLink className="button" to="/">
          Back to home
        </PageLink>
      )}
    </main>
  );
}

interface FailureText {
  heading: string;
  lead: string;
  reference: string | null;
}

/**
 * The words for a page that failed or rejected a form. Browsers take those of the server from its page, because React Router
 * replaces every server error with a fixed message. Their own errors are not logged.
 */
function useFailureText(status: number): FailureText {
  const { key } = useLocation();
  if (import.meta.env.SSR) return textOnServer(status, use(ErrorReference), use(LimitNotice));
  return key === documentKey && textOfPage !== null ? textOfPage : failedInBrowser;
}

const FAILED = "Something went wrong";

const failedInBrowser: FailureText = {
  heading: FAILED,
  lead: "We couldn’t show this page. Please check your connection and try again.",
  reference: null,
};

const rejections: Record<number, string> = {
  403: "This form was sent from another site, or something on your device hides where it came from. Nothing has changed. Please open our own page and try again there. If you use a privacy tool, you may need to allow this site.",
  413: "This form was too long to accept. Nothing has changed. Please go back and shorten what you typed. If a program fills in forms for you, it may have added more than you can see.",
};

function textOnServer(status: number, reference: string | null, limit: string | null): FailureText {
  if (limit !== null) return { heading: "We’ve reached today’s limit", lead: limit, reference };
  if (status < 500) {
    const unreadable =
      "We couldn’t read what this form sent, and nothing has changed. Please open the page again and fill in the form once more.";
    return { heading: "We couldn’t accept this form", lead: rejections[status] ?? unreadable, reference };
  }
  if (reference === null) return failedInBrowser;
  return { heading: FAILED, lead: "The fault is ours, and we’ve logged it. Please try again in a moment.", reference };
}

/** The key of the location that the server rendered, as React Router reads it. */
const documentKey: string = import.meta.env.SSR ? "" : (history.state?.key ?? "default");

const textOfPage: FailureText | null =
  import.meta.env.SSR || document.querySelector("[data-failure]") === null
    ? null
    : {
        heading: textOf("h1") ?? "",
        lead: textOf("[data-failure]") ?? "",
        reference: textOf("[data-reference]"),
      };

function textOf(selector: string): string | null {
  return document.querySelector(selector)?.textContent ?? null;
}
