import { createHmac } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { TokenPurpose } from "#app/server/signed-token.server.ts";
import { visit } from "#scripts/bench/groups/landing.ts";
import { signUps } from "#scripts/bench/groups/sign-up.ts";
import { startWorker } from "#scripts/bench/workers.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";

/** Entries 1 to this number are sent their email; as many after them confirm their address. */
const PEOPLE = 100;

const { HASH_KEY = "", LINK_SECRET = "" } = localVars(0);
const nextSignUp = signUps();

interface Site {
  url: string;
  /** Of an owner who is signed in. */
  cookie: string;
}

/** One way into the Worker. */
export interface EntryPoint {
  name: string;
  /** CPU time that the first request of an isolate may take (milliseconds). */
  bar: number;
  /** The status of every response. */
  status: number;
  /** Each number, from 1, stands for another person. */
  send: (site: Site, number: number) => Promise<Response>;
  /** Each request runs the cron job, and the database is empty. */
  isCron?: true;
}

/** What visitors, subscribers, their email programs, the owner and Cloudflare's clock ask for most. */
export const entryPoints: EntryPoint[] = [
  {
    name: "landing page, a counted visit",
    bar: 12,
    status: 200,
    send: ({ url }) => {
      const { path, ...request } = visit();
      return fetch(url + path, request);
    },
  },
  page("privacy policy", () => "/privacy"),
  page(
    "page of an entry",
    (number) => `/your-data/${token("your-data:v1", `${number.toString(36)}-${Date.now().toString(36)}`)}`,
  ),
  {
    name: "sign-up, `/api/signup`",
    bar: 15,
    status: 201,
    send: ({ url }) => {
      const { path, ...request } = nextSignUp();
      return fetch(url + path, request);
    },
  },
  {
    name: "its email, `/api/send-welcome`",
    bar: 15,
    status: 200,
    send: ({ url }, number) => {
      const body = JSON.stringify({ email: `visitor${number}@example.com` });
      return fetch(`${url}/api/send-welcome`, { ...nextSignUp(), body });
    },
  },
  {
    name: "confirming an address",
    bar: 15,
    status: 303,
    send: ({ url }, number) => postForm(url, `/confirm/${token("confirm:v1", (PEOPLE + number).toString(36))}`, {}),
  },
  {
    name: "unsubscribing by one click",
    bar: 15,
    status: 200,
    send: ({ url }, number) => {
      const path = `/unsubscribe/${token("unsubscribe:v1", number.toString(36), HASH_KEY)}/one-click`;
      return postForm(url, path, { "List-Unsubscribe": "One-Click" });
    },
  },
  { name: "cron job with nothing to do", bar: 15, status: 200, send: ({ url }) => fetch(url), isCron: true },
  {
    name: "sign-up by form, without JavaScript",
    bar: 20,
    status: 201,
    send: ({ url }, number) => postForm(url, "/", { email: `form${number}@example.com` }),
  },
  ownerPage("owner's overview", "/owner"),
  ownerPage("owner's list", "/owner/entries"),
];

function page(name: string, path: (number: number) => string): EntryPoint {
  return { name, bar: 12, status: 200, send: ({ url }, number) => fetch(url + path(number)) };
}

function ownerPage(name: string, path: string): EntryPoint {
  const send = ({ url, cookie }: Site) => fetch(url + path, { headers: { Cookie: cookie } });
  return { name, bar: 20, status: 200, send };
}

/** As `signToken` makes them, which needs more of JavaScript than Node has. */
function token(purpose: TokenPurpose, id: string, secret = LINK_SECRET): string {
  return `${id}.${createHmac("sha256", secret).update(`${purpose}:${id}`).digest("base64url")}`;
}

function postForm(url: string, path: string, fields: Record<string, string>): Promise<Response> {
  const headers = { Origin: url, "CF-Connecting-IP": nextSignUp().headers["CF-Connecting-IP"] };
  return fetch(url + path, { method: "POST", headers, body: new URLSearchParams(fields), redirect: "manual" });
}

/**
 * Writes a database for the requests, whose people signed up and have an email to be sent and an address to confirm.
 *
 * @returns the cookie of an owner who is signed in to every site that uses it
 */
export async function createDatabase(file: string): Promise<string> {
  let persistTo = "";
  const prepare = (folder: string) => {
    persistTo = folder;
  };
  const vars = { OWNER_EMAIL: OWNER, CONFIRM_ADDRESSES: "on" };
  await using site = await startWorker({ vars, prepare });
  for (let person = 0; person < 2 * PEOPLE; person += 1) {
    const { path, ...request } = nextSignUp();
    await (await fetch(site.url + path, request)).arrayBuffer();
  }
  const link = await createLocalSignInLink(persistTo, site.url, OWNER);
  const response = await postForm(site.url, new URL(link ?? "").pathname, {});
  using database = new DatabaseSync(databaseFile(persistTo));
  database.prepare("VACUUM INTO ?").run(file);
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "no cookie";
}
