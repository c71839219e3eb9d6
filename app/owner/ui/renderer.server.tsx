import { createMiddleware } from "hono/factory";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Sections } from "#app/owner/ui/navigation.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";
import { Done } from "#app/owner/ui/page.server.tsx";
import { noScriptCsp } from "#app/server/http/csp.server.ts";

declare module "hono" {
  /** Responds with a page of the owner. The default policy stops injected scripts from running. */
  interface ContextRenderer {
    // biome-ignore lint/style/useShorthandFunctionType: a type would not merge with Hono's interface
    (page: ReactElement, head?: { policy: string }): Response | Promise<Response>;
  }
}

/** @param sections for the navigation, and for what the owner reads after a change */
export function renderer(sections: readonly OwnerSection[]) {
  const outcomes = new Map(
    [common, ...sections.map(({ outcomes = {} }) => outcomes)].flatMap((texts) => Object.entries(texts)),
  );
  return createMiddleware(async (c, next) => {
    c.setRenderer((page, { policy } = { policy: noScriptCsp }) => {
      c.header("Content-Security-Policy", policy);
      const done = outcomes.get(c.req.query("done") ?? "") ?? null;
      return c.html(
        renderDocument(
          <Sections value={sections}>
            <Done value={done}>{page}</Done>
          </Sections>,
        ),
      );
    });
    await next();
  });
}

const common: Record<string, string> = { unchanged: "No change was needed." };

export function renderDocument(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}
