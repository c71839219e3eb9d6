/* What the tablet at a fair and the server tell each other. Browsers load this file, so it imports only types. */

import type { EpochMillis } from "#app/server/time/units.ts";

/** The page of the form, and the scope of its service worker. */
export const FAIR_PATH = "/fair";

/** How the tablet exchanges the code of the owner's QR code for a key of its own. `POST`, JSON. */
export const ARM_PATH = "/fair/arm";

/** Where the tablet sends what it has. `POST`, JSON, with its key in `Authorization: Bearer`. */
export const SIGN_UPS_PATH = "/fair/sign-ups";

export const SERVICE_WORKER_PATH = "/fair/service-worker.js";

/** The paths whose responses name the version they belong to, in this header. */
export const VERSION_HEADER = "X-Fair-Version";

/** Names the event with which a browser wakes the service worker once there is network. */
export const SYNC_TAG = "fair-sign-ups";

/** Sign-ups in one request. */
export const MAX_RECORDS = 50;

/** Characters of one sealed sign-up. */
export const MAX_SEALED = 4_000;

/**
 * The tablet makes `key` (32 random bytes, base64url) before it asks, stores it, and sends the same one again if the
 * answer is lost: a code works once, but for the same key as often as it takes.
 */
export interface ArmRequest {
  code: string;
  key: string;
}

export interface Armed {
  /** Its number, part of what is authenticated with each sealed sign-up. */
  device: number;
  event: string;
  /** By the server's clock; so are all times in responses. */
  expiresAt: EpochMillis;
  /** P-256, uncompressed (65 bytes), base64url. */
  publicKey: string;
  now: EpochMillis;
}

export interface SealedSignUp {
  /** A UUID: the idempotency key. */
  id: string;
  /** When the person pressed the button: the device's clock plus the offset measured at its last contact. */
  at: EpochMillis;
  /** The version of the consent wording that they saw. */
  consent: string;
  /** What `seal` returns of a {@link SignUpContent} as JSON. */
  sealed: string;
}

/** What only the server can read. */
export interface SignUpContent {
  email: string;
  /** By the question's key. */
  answers: Record<string, string>;
}

export interface SignUpsRequest {
  /** All that wait on the device, including these. */
  waiting: number;
  /** Whether the form of this device is closed on the tablet: nobody can sign up with it any more. */
  hasEnded: boolean;
  /** At most {@link MAX_RECORDS}, oldest first; none to ask for the time and the state alone. */
  signUps: SealedSignUp[];
}

/**
 * `open`: the device may add people. `expired` and `revoked`: the form is closed, and what arrives waits for the owner's
 * decision. `closed`: that is made, and nobody can read what is left on the device.
 */
export type DeviceState = "open" | "expired" | "revoked" | "closed";

/** `launched`: the device is open, but nobody joins any more, so the form is closed. */
export type ToldState = DeviceState | "launched";

export interface SignUpsResponse {
  state: ToldState;
  now: EpochMillis;
  /** The ids that the server keeps from now on, new ones and those it had: the device deletes its copies. */
  stored: string[];
}

/** With status 4xx or 503. */
export interface FairProblem {
  problem:
    | "malformed"
    /** The code is unknown, used by another device, or older than an hour. */
    | "code-invalid"
    | "key-invalid"
    | "too-many-requests"
    | "unavailable";
  /** A sentence for the people at the stall. */
  detail: string;
}

/** What the Worker tells the service worker, in the first line of its script. */
export interface Precache {
  /** Changes with any of the files, so that browsers notice a new version. */
  version: string;
  /** Paths on this site. */
  files: readonly string[];
}
