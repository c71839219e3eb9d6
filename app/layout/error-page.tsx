import type { ReactNode } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { useServerFailure } from "#app/layout/error-reference.ts";
import { site } from "#app/site.ts";
import { EmptyPitch } from "#app/ui/illustrations/empty-pitch.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { useLastReply } from "#app/waitlist/last-reply.ts";

/** Replaces a page that failed, was not found or rejected a form. */
export function ErrorPage({ error }: { error: unknown }) {
  if (!isRouteErrorResponse(error) || error.status >= 500) return <FailurePage />;
  return error.status === 404 ? <NotFoundPage /> : <RejectedPage status={error.status} />;
}

export function NotFoundPage() {
  return (
    <ErrorLayout title="Page not found" heading="This pitch is empty">
      <p className="lead">There is no page at this address. It may have moved, or the link may be incomplete.</p>
    </ErrorLayout>
  );
}

/** By response status. */
const rejectionMessages: Record<number, string> = {
  403: "This form was sent from another site, or something on your device hides where it came from. Nothing has changed. Please open our own page and try again there. If you use a privacy tool, you may need to allow this site.",
  413: "This form was too long to accept. Nothing has changed. Please go back and shorten what you typed. If a program fills in forms for you, it may have added more than you can see.",
};

function RejectedPage({ status }: { status: number }) {
  const { pathname } = useLocation();
  const message =
    rejectionMessages[status] ??
    "We couldn’t read what this form sent, and nothing has changed. Please open the page again and fill in the form once more.";
  return (
    <ErrorLayout
      heading="We couldn’t accept this form"
      action={
        <a className="button" href={onThisSite(pathname)}>
          Open the page again
        </a>
      }
    >
      <p className="lead">{message}</p>
    </ErrorLayout>
  );
}

/** Other sites can send a form to `//evil.example`, which as a link would lead there. */
function onThisSite(pathname: string): string {
  return pathname.replace(/^[/\\]+/, "/");
}

const logged = "The fault is ours, and we’ve logged it. Please try again in a moment.";

const notLogged = "We couldn’t show this page. Please check your connection, and try again in a moment.";

/** Where a form was being sent, what came of it shows too. */
function FailurePage() {
  const { reference, limit } = useServerFailure();
  const reply = useLastReply();
  const heading = limit ? "We’ve reached today’s limit" : "Something went wrong";
  return (
    <ErrorLayout heading={heading}>
      <div role="status">{reply === "" ? null : <p className="lead">{reply}</p>}</div>
      <p className="lead" data-limit={limit && ""}>
        {limit ?? (reference === null ? notLogged : logged)}
      </p>
      {reference && (
        <p>
          If you write to us about it, please quote{" "}
          <strong data-reference="" translate="no">
            {reference}
          </strong>
        </p>
      )}
    </ErrorLayout>
  );
}

interface ErrorLayoutProps {
  heading: string;
  title?: string;
  /** By default a link to the landing page. */
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
