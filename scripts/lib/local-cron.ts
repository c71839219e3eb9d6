/** Much shorter than in production, so that nobody waits long for an email (milliseconds). */
const INTERVAL = 5_000;

/**
 * Fires a local site's cron trigger, which Cloudflare's local runtime does not do by itself. Silent, and ends with this
 * process: the site may still be starting, or already ending.
 *
 * @param origin of the site
 */
export function startLocalCron(origin: string): void {
  let running = false;
  const run = async () => {
    if (running) return;
    running = true;
    await fetch(`${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent("*/5 * * * *")}`).then(
      (response) => response.arrayBuffer(),
      () => {},
    );
    running = false;
  };
  setInterval(run, INTERVAL).unref();
}
