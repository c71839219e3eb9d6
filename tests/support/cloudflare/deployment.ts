import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { runScript } from "#tests/support/run-script.ts";

/** Every required setting. */
export const requiredSettings = {
  SITE_URL: "https://market.test",
  CONTACT_EMAIL: "hello@market.test",
  CONTROLLER_NAME: "Ada Maker",
  CONTROLLER_ADDRESS: "1 Market Square, Town",
};

/** The lines of a `deploy.env` with every required setting and the key of an email provider. */
export const deploySettings = `SITE_URL=https://market.test
CONTACT_EMAIL=hello@market.test
CONTROLLER_NAME="Ada Maker"
CONTROLLER_ADDRESS="1 Market Square, Town"
RESEND_API_KEY=re_for_this_test
`;

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/** A clean clone, perhaps with a deploy.env, that is deployed through a fake of Cloudflare's API. */
export async function startDeployment(settings?: string) {
  const clone = cleanClone();
  const home = mkdtempSync(join(tmpdir(), "waitlist-site-home-"));
  const settingsFile = join(clone.folder, "deploy.env");
  if (settings !== undefined) writeFileSync(settingsFile, settings, { mode: 0o600 });
  const cloudflare = await startFakeCloudflare();
  // Not in CI, where no secret would be saved.
  const env = { ...cloudflare.env, WRANGLER_LOG_PATH: home, CI: "" };
  return {
    folder: clone.folder,
    /** Where Wrangler writes its logs, and nobody is signed in. */
    home,
    settingsFile,
    cloudflare,
    env,
    saved: () => parseEnv(readFileSync(settingsFile, "utf8")),
    secret: (name: string) => cloudflare.worker()?.bindings.find((binding) => binding.name === name)?.text,
    /** Runs the deploy script, which asks the fake for the site's health. */
    deploy(flags: string[] = [], more: Record<string, string> = {}) {
      cloudflare.changes.length = 0;
      const args = ["--check-at", cloudflare.url, "--patience", "0", ...flags];
      return runScript("deploy", args, { folder: clone.folder, env: { ...env, ...more } });
    },
    async stop() {
      await cloudflare.stop();
      clone.remove();
      rmSync(home, { recursive: true, maxRetries: 3 });
    },
  };
}
