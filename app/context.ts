import { createContext } from "react-router";
import type { Config } from "#app/config.server.ts";
import type { DeliveryDeps } from "#app/email/deliver.server.ts";
import type { GateDeps } from "#app/gate/gate.server.ts";
import type { OwnEntryDeps } from "#app/your-data/own-entry.server.ts";

/** What loaders, actions and API handlers may use; made once for each request by the Worker. */
export interface AppContext extends DeliveryDeps, GateDeps, OwnEntryDeps {
  config: Config;
  /** What can be fetched or computed again. */
  cache: KVNamespace;
  /** The client's IP address, for counting; never kept. Whoever has none counts together with all others like it. */
  client: string;
  /** Lets work go on after the response has been sent. */
  waitUntil: (work: Promise<unknown>) => void;
}

export const appContext = createContext<AppContext>();
