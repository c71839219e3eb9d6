import { createContext } from "react-router";
import type { DeliveryDeps } from "#app/email/deliver.server.ts";
import type { NotificationDeps } from "#app/email/owner-notifications.server.ts";
import type { Config } from "#app/server/config.server.ts";
import type { CspViolationLog } from "#app/server/csp-reports.server.ts";
import type { AbuseCheckDeps } from "#app/waitlist/abuse/check-abuse.server.ts";
import type { OwnEntryDeps } from "#app/waitlist/my-data/own-entry.server.ts";

/** What loaders, actions and API handlers may use; made once for each request by the Worker. */
export interface AppContext extends DeliveryDeps, NotificationDeps, AbuseCheckDeps, OwnEntryDeps {
  config: Config;
  /** What can be fetched or computed again. */
  cache: KVNamespace;
  /** The client's IP address, for counting; never kept. Whoever has none counts together with all others like it. */
  client: string;
  /** Of this Worker, as the platform numbers its deployments. */
  version: string;
  /** Where browsers' reports of what they refused go. */
  violations: CspViolationLog;
  /** Lets inline scripts of this one answer run. */
  nonce: string;
  /** Lets work go on after the response has been sent. */
  waitUntil: (work: Promise<unknown>) => void;
}

export const appContext = createContext<AppContext>();

/** The status with which the front door refuses what was posted, for the error page to be shown; null where it does not. */
export const refusalContext = createContext<number | null>(null);
