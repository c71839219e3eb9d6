import type { ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import "#app/app.css";
import { appContext } from "#app/context.ts";
import { JsonLd } from "#app/seo/json-ld.tsx";
import { useSiteUrl } from "#app/seo/use-site-url.ts";
import type { Route } from "./+types/root";

/** What every page may need of the configuration. */
export function loader({ context }: Route.LoaderArgs) {
  const { SITE_URL } = context.get(appContext).config;
  return { siteUrl: SITE_URL };
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
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

export default function Root() {
  return <Outlet />;
}
