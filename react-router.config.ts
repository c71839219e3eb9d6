import type { Config } from "@react-router/dev/config";
import { shortenManifest } from "./vite/browser-manifest.ts";

export default {
  ssr: true,
  // The app has few routes: one manifest up front is smaller than a request for each link that scrolls into view.
  routeDiscovery: { mode: "initial" },
  buildEnd: ({ reactRouterConfig }) => shortenManifest(reactRouterConfig.buildDirectory),
} satisfies Config;
