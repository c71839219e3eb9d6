import { createHmac } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { TokenPurpose } from "#app/server/hashes/signed-token.server.ts";
import { CRON } from "#scripts/bench/bench-entry.ts";
import { visit } from "#scripts/bench/groups/landing.ts";
import { signUps } from "#scripts/bench/groups/sign-up.ts";
import { startWorker } from "#scripts/bench/workers.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";

/** Entries 1 to this number are sent their email; as many after them confirm their address. */
const PEOPLE = 100;

const { LINK_SECRET = "" } = localVars(0);
const nextSignUp = signUps();

/**
 * A request by one way into the Worker.
 *
 * @param number from 1, each of which stands for another person
 * @param Cookie of an owner who is signed in
 * @returns the status is that of the response, 200 if omitted
 */
export type EntryPoint = (number: number, Cookie: string) => RequestInit & { path: string; status?: number };

/**
 * What visitors, subscribers, their email programs, the owner and Cloudflare's clock ask for most, by the CPU time that the
 * first request of an isolate may take (milliseconds).
 */
export const entryPoints: Record<number, Record<string, EntryPoint>> = {
  12: {
    "landing page, a counted visit": visit,
    "page of an entry": (number) => {
      const link = `${number.toString(36)}-${Date.now().toString(36)}`;
      return { path: `/your-data/${token("your-data:v1", link)}` };
    },
  },
  15: {
    "sign-up, `/api/signup`": () => ({ ...nextSignUp(), status: 201 }),
    "its email, `/api/send-welcome`": (number) => {
      const body = JSON.stringify({ email: `visitor${number}@example.com` });
      return { ...nextSignUp(), path: "/api/send-welcome", body };
    },
    "confirming an address": (number) => {
      const path = `/confirm/${token("confirm:v1", (PEOPLE + number).toString(36))}`;
      return { ...form(path, {}), status: 303 };
    },
    "cron job with nothing to do": () => ({ path: CRON }),
  },
  20: {
    "sign-up by form, without JavaScript": (number) => ({
      ...form("/", { email: `form${number}@example.com` }),
      status: 201,
    }),
    "owner's overview": (_, Cookie) => ({ path: "/owner", headers: { Cookie } }),
    "owner's list": (_, Cookie) => ({ path: "/owner/entries", headers: { Cookie } }),
  },
};

/** As `signToken` makes them, which needs more of JavaScript than Node has. */
function token(purpose: TokenPurpose, id: string): string {
  return `${id}.${createHmac("sha256", LINK_SECRET).update(`${purpose}:${id}`).digest("base64url")}`;
}

function form(path: string, fields: Record<string, string>) {
  const headers = { "CF-Connecting-IP": nextSignUp().headers["CF-Connecting-IP"] };
  return { path, method: "POST", headers, body: new URLSearchParams(fields), redirect: "manual" as const };
}

/**
 * Writes a database for the requests, whose people signed up and have an email to be sent and an address to confirm.
 *
 * @returns the cookie of an owner who is signed in to every site that uses it
 */
export async function createDatabase(file: string): Promise<string> {
  await using site = await startWorker({ vars: { OWNER_EMAIL: OWNER, CONFIRM_ADDRESSES: "on" } });
  for (let person = 0; person < 2 * PEOPLE; person += 1) {
    const { path, ...request } = nextSignUp();
    await (await fetch(site.url + path, request)).arrayBuffer();
  }
  const link = await createLocalSignInLink(site.persistTo, site.url, OWNER);
  const response = await fetch(link ?? "", form("", {}));
  using database = new DatabaseSync(databaseFile(site.persistTo));
  database.prepare("VACUUM INTO ?").run(file);
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "no cookie";
}
