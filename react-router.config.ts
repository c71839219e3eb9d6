import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The app has few routes: one manifest up front is smaller than a request for each link that scrolls into view.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
