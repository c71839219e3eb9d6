import type { ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { readConsent } from "#app/consent/consent.server.ts";
import { appContext } from "#app/context.ts";
import fraunces from "#app/fonts/fraunces.woff2";
import { ErrorPage } from "#app/frame/error-page.tsx";
import { Frame } from "#app/frame/frame.tsx";
import "#app/app.css";
import { JsonLd } from "#app/seo/json-ld.tsx";
import { useSiteUrl } from "#app/seo/use-site-url.ts";
import { tagIds } from "#app/tracking/tag-ids.ts";
import "#app/ui/primitives.css";
import "#app/ui/print.css";
import { isTokenPath } from "#app/your-data/token-path.ts";
import type { Route } from "./+types/root";

export function links(): Route.LinkDescriptors {
  return [
    { rel: "preload", href: fraunces, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
    { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
    { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
    { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
    { rel: "manifest", href: "/site.webmanifest" },
  ];
}

/** What every page needs of the configuration, and of the visitor's choice about cookies. */
export function loader({ context, request, url }: Route.LoaderArgs) {
  const { config } = context.get(appContext);
  return {
    siteUrl: config.SITE_URL,
    contactEmail: config.CONTACT_EMAIL,
    facebookUrl: config.FACEBOOK_URL,
    turnstileSiteKey: config.TURNSTILE_SITE_KEY,
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
        <Meta />
        <Links />
        <JsonLd siteUrl={useSiteUrl()} />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <Frame facts={loaderData}>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Frame facts={loaderData}>
      <ErrorPage error={error} />
    </Frame>
  );
}
