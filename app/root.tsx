import type { ReactNode } from "react";
import { Links, Outlet, Scripts, ScrollRestoration, useLocation } from "react-router";
import { readConsent } from "#app/consent/consent.server.ts";
import { appContext } from "#app/context.ts";
import fraunces from "#app/fonts/fraunces.woff2";
import { ErrorPage } from "#app/frame/error-page.tsx";
import { Frame } from "#app/frame/frame.tsx";
import { SpeculationRules } from "#app/frame/speculation-rules.tsx";
import { LateStart } from "#app/late/late-start.tsx";
import { TakenOver } from "#app/late/taken-over.tsx";
import { JsonLd } from "#app/seo/json-ld.tsx";
import { sitePages } from "#app/seo/site-pages.ts";
import { FirstStyles, RestStyles } from "#app/styles/styles.tsx";
import { tagIds } from "#app/tracking/tag-ids.ts";
import { isTokenPath } from "#app/your-data/token-path.ts";
import type { Route } from "./+types/root";

/** What every page needs of the configuration, and of the visitor's choice about cookies. */
export function loader({ context, request, url }: Route.LoaderArgs) {
  const { config } = context.get(appContext);
  return {
    siteUrl: config.SITE_URL,
    contactEmail: config.CONTACT_EMAIL,
    facebookUrl: config.FACEBOOK_URL,
    turnstileSiteKey: config.TURNSTILE_SITE_KEY,
    framesSurvey: config.SURVEY_URL !== undefined,
    tagIds: isTokenPath(url.pathname) ? {} : tagIds(config),
    consent: readConsent(request),
  };
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#1f6f5c" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1524" media="(prefers-color-scheme: dark)" />
        <FirstStyles />
        <link rel="preload" href={fraunces} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        {/* For styles that Vite serves one by one; a built page has them from `app/styles`. */}
        {import.meta.env.DEV ? <Links /> : null}
        <JsonLd />
        <SpeculationRules />
      </head>
      <body>
        <TakenOver>{children}</TakenOver>
        <ScrollRestoration />
        <LateStart />
        {/* A built page has them from `withLateScripts`. */}
        {import.meta.env.DEV ? <Scripts /> : null}
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <Frame facts={loaderData}>
      <Outlet />
      {/* The landing page is long, and has them where its first screens end. */}
      {useLocation().pathname === sitePages.home.path ? null : <RestStyles />}
    </Frame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Frame facts={loaderData}>
      <ErrorPage error={error} />
      <RestStyles />
    </Frame>
  );
}
