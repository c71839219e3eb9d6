import { type ReactNode, use } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { ERROR_REFERENCE_META, ErrorReference } from "#app/layout/error-reference.ts";
import { site } from "#app/site.ts";
import { EmptyPitch } from "#app/ui/illustrations/empty-pitch.tsx";
import { PageLink } from "#app/ui/page-link.tsx";

/** Replaces a page that failed, was not found or rejected a form. */
export function ErrorPage({ error }: { error: unknown }) {
  if (!isRouteErrorResponse(error) || error.status >= 500) return <FailurePage />;
  return error.status === 404 ? <NotFoundPage /> : <RejectedPage status={error.status} />;
}

export function NotFoundPage() {
  return (
    <ErrorLayout title="Page not found" heading="This pitch is empty" action={<BackHome />}>
      <p className="lead">
        There is no page at this address. It may have moved, or the link may have lost a letter on its way to you.
      </p>
    </ErrorLayout>
  );
}

/** By response status. */
const rejectionMessages: Record<number, string> = {
  403: "What your browser sent came from a page that is not ours, or something on your device hides which page it came from. Nothing has been changed. Please open our own page and try it there; a privacy tool may have to let this site be.",
  413: "What your browser sent is more than this form takes. Nothing has been changed. Please go back and shorten what you typed; a program that fills in forms for you may have put in more than you see.",
};

function RejectedPage({ status }: { status: number }) {
  const { pathname } = useLocation();
  const message =
    rejectionMessages[status] ?? "This page cannot take what your browser sent it. Open it once more and try again.";
  return (
    <ErrorLayout
      title="That did not work"
      heading="Not at this stall"
      action={
        <a className="button" href={pathname}>
          Open the page again
        </a>
      }
    >
      <p className="lead">{message}</p>
    </ErrorLayout>
  );
}

function FailurePage() {
  const reference = use(ErrorReference);
  return (
    <ErrorLayout title="Something went wrong" heading="A gust took the awning" action={<BackHome />}>
      <p className="lead">
        Something went wrong on our side, and it has been written down for us. Please try again in a moment.
      </p>
      {reference === null ? null : (
        <p>
          <meta name={ERROR_REFERENCE_META} content={reference} />
          If you write to us about it, this reference helps us find it: <strong>{reference}</strong>
        </p>
      )}
    </ErrorLayout>
  );
}

interface ErrorLayoutProps {
  title: string;
  heading: string;
  action: ReactNode;
  children: ReactNode;
}

function ErrorLayout({ title, heading, action, children }: ErrorLayoutProps) {
  return (
    <main id="main" className="prose error-page">
      <title>{`${title} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <EmptyPitch />
      <h1>{heading}</h1>
      {children}
      {action}
    </main>
  );
}

function BackHome() {
  return (
    <PageLink className="button" to="/">
      Back to the market
    </PageLink>
  );
}
