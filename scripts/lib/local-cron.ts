import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";

/** Much shorter than in production, so that emails arrive within seconds (milliseconds). */
const INTERVAL = 5_000;

/**
 * Fires a local site's cron trigger, which Cloudflare's local runtime does not do by itself. Silent, and ends with this
 * process: the site may still be starting, or already ending.
 *
 * @param origin of the site
 */
export function startLocalCron(origin: string): void {
  const url = `${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent("* * * * *")}`;
  const get = url.startsWith("https:") ? getHttps : getHttp;
  let running = false;
  const end = () => {
    running = false;
  };
  const run = () => {
    if (running) return;
    running = true;
    // Wrangler's certificate is self-signed.
    get(url, { rejectUnauthorized: false }, (response) => response.resume().on("close", end)).on("error", end);
  };
  setInterval(run, INTERVAL).unref();
}
