import type { LoaderFunctionArgs } from "react-router";
import { appContext } from "#app/server/context.ts";
import { qrSvg } from "#app/server/qr-code.server.ts";
import { colour } from "#app/ui/theme.ts";
import { decodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { personalLink } from "#app/waitlist/entries/personal-link.ts";

/** The QR code of a personal link, also of one that is no one's: the address of the picture must not tell. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  const { config, hashKey } = context.get(appContext);
  const [, via = ""] = /^(\w{8})\.svg$/.exec(params["name"] ?? "") ?? [];
  if ((await decodeCode(via, hashKey)) === null) return new Response("Not found", { status: 404 });
  const svg = qrSvg(personalLink(config.SITE_URL, via), { ink: colour("qrInk"), paper: colour("qrPaper") });
  return new Response(svg, {
    headers: { "Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=31536000, immutable" },
  });
}
