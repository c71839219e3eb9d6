import { freePort } from "#scripts/lib/ports.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { type RecordingProxy, startProxy } from "#tests/support/engines/recording-proxy.ts";

export interface ProxiedSite {
  site: RunningSite;
  proxy: RecordingProxy;
  /** The address that the proxy listens on, and that the site knows as its own. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a site behind a proxy that changes and records what happens on it. */
export async function startProxiedSite(): Promise<ProxiedSite> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const site = await startSite({ vars: { SITE_URL: url } });
  const proxy = await startProxy(port, Number(new URL(site.url).port));
  return {
    site,
    proxy,
    url,
    async stop() {
      await proxy.close();
      await site.stop();
    },
  };
}
