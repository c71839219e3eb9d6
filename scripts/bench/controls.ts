import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordSignUp } from "#scripts/bench/sign-up-batch.ts";
import { startControl } from "#scripts/bench/workers.ts";
import { root } from "#scripts/lib/commands.ts";

/** What a page was answered with: its very bytes, and its headers but for those of the connection. */
export interface Answer {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

const OF_THE_CONNECTION = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

/** What a server of files finds out by itself. */
const OF_THE_FILE = ["content-type", "content-encoding"];

export async function ask(url: string): Promise<Answer> {
  const response = await fetch(url);
  const headers = Array.from(response.headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
  return { status: response.status, headers, body: await response.text() };
}

/** A nonce is another one for each answer, and always as long. */
export function withoutNonces({ status, headers, body }: Answer): Answer {
  const blank = (text: string) => text.replaceAll(/nonce(-|=")[\w+/=-]+/g, "nonce$1");
  return { status, headers: headers.map(([name, value]) => [name, blank(value)]), body: blank(body) };
}

/** A bare Worker that gives one answer to everything, from its memory and encoded once: nothing is quicker. */
export function startBarePage({ status, headers, body }: Answer) {
  const script = `
    const body = new TextEncoder().encode(${JSON.stringify(body)});
    const init = ${JSON.stringify({ status, headers })};
    export default { fetch: () => new Response(body, init) };
  `;
  return startControl({ door: "socket", name: "bare-page", script });
}

/** A bare Worker that does the site's own batch with the address it is sent, and asks nothing else. */
export async function startBareSignUp() {
  const script = `
    const statements = ${JSON.stringify(await recordSignUp())};
    const answer = JSON.stringify({ ok: true, message: "Thanks for joining! Please check your email." });
    const init = { status: 201, headers: { "Content-Type": "application/json" } };
    export default {
      async fetch(request, { DB }) {
        const { email } = await request.json();
        const each = { email: () => email, uuid: () => crypto.randomUUID() };
        const value = (parameter) => (parameter?.each ? each[parameter.each]() : parameter);
        await DB.batch(statements.map(({ sql, parameters }) => DB.prepare(sql).bind(...parameters.map(value))));
        return new Response(answer, init);
      },
    };
  `;
  return startControl({ door: "socket", name: "bare-sign-up", script, database: true });
}

/** The page as a static file without its scripts, with its own headers and the site's assets, through the same edge. */
export async function startStaticPage({ headers, body }: Answer) {
  const folder = await mkdtemp(join(tmpdir(), "stallwright-static-"));
  await cp(join(root, "build", "client"), folder, { recursive: true });
  await writeFile(join(folder, "index.html"), withoutScript(body));
  // In place of the assets' own, whose content policy allows a page nothing.
  const lines = headers.filter(([name]) => !OF_THE_FILE.includes(name)).map(([name, value]) => `  ${name}: ${value}`);
  await writeFile(join(folder, "_headers"), ["/", ...lines, ""].join("\n"));
  const script = `export default { fetch: () => new Response("not found", { status: 404 }) };`;
  const worker = await startControl({ door: "edge", name: "static-page", script, assets: folder });
  return {
    url: worker.url,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A page without its scripts and what is fetched for them. */
export function withoutScript(html: string): string {
  return html
    .replaceAll(/<script\b[^>]*>.*?<\/script>/gs, "")
    .replaceAll(/<link\b[^>]*\brel="modulepreload"[^>]*>/g, "");
}
