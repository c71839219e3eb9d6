import { isLoopback } from "#app/server/http/public-host.server.ts";

type ReadOrigin = { origin: string } | { problem: string };

const EXAMPLE = "Enter the address of the site, such as https://www.example.com";

/**
 * The origin of a site, as browsers send it, from what an owner typed: the address of any of its pages, or a name alone.
 *
 * @param ownOrigin this site's, which needs no permission; from a loopback address it may allow others, over http too
 */
export function readOrigin(typed: string, ownOrigin: string): ReadOrigin {
  const text = typed.trim();
  if (text === "") return { problem: `${EXAMPLE}.` };
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const isLocal = url !== null && isLoopback(url) && isLoopback(new URL(ownOrigin));
  if (/^http:/i.test(text) && !isLocal)
    return { problem: "The address must begin with https://. Sites without it are not secure enough to allow." };
  if (url === null || !(isLocal || isHost(url.hostname)) || !/^https?:$/.test(url.protocol)) {
    return { problem: `“${text.slice(0, 100)}” is not the address of a site. ${EXAMPLE}.` };
  }
  // Browsers send a host with a final dot only where the visitor typed one.
  const origin = url.origin.replace(/\.(?=:|$)/, "");
  return origin === ownOrigin ? { problem: "Forms on this site need no permission." } : { origin };
}

/** A name with a dot, or an address; not a pattern such as `*.example.com`. */
function isHost(hostname: string): boolean {
  return /^\[[0-9a-f:.]+\]$|^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\.?$/.test(hostname);
}
