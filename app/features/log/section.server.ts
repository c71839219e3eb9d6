import styles from "#app/features/log/log.css?url";
import { showLog } from "#app/features/log/log-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const logSection: OwnerSection = {
  section: "log",
  styles,
  link: { href: "/owner/log", name: "Log", group: "Settings" },
  routes: [{ method: "get", path: "/log", handler: showLog }],
};
