import type { ReactNode } from "react";
import { Links, Outlet, Scripts, ScrollRestoration, useLocation } from "react-router";
import { readConsent } from "#app/consent/consent.server.ts";
import { tagIds } from "#app/consent/tracking/tag-ids.ts";
import { landingPage } from "#app/features/landing/page.ts";
import { JsonLd, SpeculationRules, ThemeColor } from "#app/layout/document-head.tsx";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { HydrationBoundary } from "#app/layout/hydration/hydration-boundary.tsx";
import { navigationLinks } from "#app/layout/links.ts";
import { PageFrame } from "#app/layout/page-frame.tsx";
import { CriticalStyles, DeferredStyles } from "#app/layout/styles/styles.tsx";
import { linkedPages } from "#app/pages.ts";
import { appContext } from "#app/server/context.ts";
import { pathsWithOwnCsp } from "#app/server/http/csp.server.ts";
import { isTokenPath } from "#app/server/http/token-path.ts";
import { launched } from "#app/site.ts";
import fraunces from "#app/ui/fonts/fraunces.woff2";
import type { RootData } from "#app/ui/root-data.ts";
import type { Route } from "./+types/root";

const links = { header: navigationLinks(linkedPages, "header"), footer: navigationLinks(linkedPages, "footer") };

export function loader({ context, request, url }: Route.LoaderArgs) {
  const { config } = context.get(appContext);
  return {
    siteUrl: config.SITE_URL,
    contactEmail: config.CONTACT_EMAIL,
    facebookUrl: config.FACEBOOK_URL,
    turnstileSiteKey: config.TURNSTILE_SITE_KEY,
    ownCspPaths: pathsWithOwnCsp(config),
    tagIds: isTokenPath(url.pathname) ? {} : tagIds(config),
    consent: readConsent(request),
    // Left out before the launch, so that it adds nothing to the pages.
    ...(config.LAUNCH_URL === undefined ? {} : { launch: { url: config.LAUNCH_URL, ...launched } }),
  } satisfies RootData & Record<string, unknown>;
}

/**
 * The frame's data is the same on every page. A navigation that loaded it again could fail at the root, whose boundary
 * renders the whole document again.
 */
export function shouldRevalidate(): boolean {
  return false;
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ThemeColor />
        <CriticalStyles />
        <link rel="preload" href={fraunces} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        {/* The separate stylesheets of Vite's dev server; built pages use CriticalStyles and DeferredStyles. Without the
            nonce, which only the server knows, so that React finds what the server sent. */}
        {import.meta.env.DEV ? <Links nonce="" /> : null}
        <JsonLd />
        <SpeculationRules />
      </head>
      <body>
        <HydrationBoundary>{children}</HydrationBoundary>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <PageFrame links={links} data={loaderData}>
      <Outlet />
      {/* The landing page renders them itself, below its first screens. */}
      {useLocation().pathname === landingPage.path ? null : <DeferredStyles />}
    </PageFrame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <PageFrame links={links} data={loaderData}>
      <ErrorPage error={error} />
      <DeferredStyles />
    </PageFrame>
  );
}
