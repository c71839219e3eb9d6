/* What the Worker tells the service worker, in the first line of its script. */

export interface Precache {
  /** Changes with any of the files, so that browsers notice a new version. */
  version: string;
  /** Paths on this site. */
  files: readonly string[];
}

/** The paths whose responses name the version they belong to, in this header. */
export const VERSION_HEADER = "X-Fair-Version";

export const SYNC_TAG = "fair-sign-ups";

export const SERVICE_WORKER_PATH = "/fair/service-worker.js";
