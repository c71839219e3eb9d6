import { onTestFinished } from "vitest";
import { type SiteSettings, setSiteSettings, siteSettings } from "#app/server/config/settings.server.ts";

/** Makes settings hold in this isolate, in place of those of app/site.ts, until the test has finished. */
export function withSettings(changed: Partial<SiteSettings>): void {
  const before = siteSettings();
  setSiteSettings({ ...before, ...changed });
  onTestFinished(() => setSiteSettings(before));
}
