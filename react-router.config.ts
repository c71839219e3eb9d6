import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // A handful of routes: one list from the start is smaller than asking for each link that comes into view.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
