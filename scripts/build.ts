// Makes the production build, also if nothing has changed.
import { rebuild } from "#scripts/lib/local-site.ts";

await rebuild({ stdio: "inherit" });
