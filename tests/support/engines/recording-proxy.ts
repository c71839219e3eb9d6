import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";

/** Forwards to the site and changes its responses the same way for every engine. */
export interface RecordingProxy {
  /** What pages wrote to the console as errors and warnings, uncaught errors, policy violations and alerts. */
  recorded: string[];
  /** Paths of the application's scripts that were requested. */
  scripts: Set<string>;
  /** Delays the application's scripts until the returned function is called. */
  holdScripts(): () => void;
  /** Changes the text of the application's scripts; null leaves them as they are. */
  changeScripts: ((path: string, text: string) => string) | null;
  /** Sends pages with scripting switched off. */
  withoutScripts: boolean;
  /** Back to the defaults, and the records are emptied. */
  reset(): void;
  close(): Promise<void>;
}

const RECORD_PATH = "/recorded-by-test";

/** @param target the site's port */
export async function startProxy(port: number, target: number): Promise<RecordingProxy> {
  let released = Promise.resolve();
  const proxy = {
    recorded: [] as string[],
    scripts: new Set<string>(),
    changeScripts: null as RecordingProxy["changeScripts"],
    withoutScripts: false,
  };
  const server = createServer(async (incoming, response) => {
    if (incoming.url === RECORD_PATH) {
      proxy.recorded.push(String(await bodyOf(incoming)));
      response.end();
      return;
    }
    const isScript = /^\/assets\/.*\.js$/.test(incoming.url ?? "");
    if (isScript) proxy.scripts.add(incoming.url ?? "");
    if (isScript) await released;
    forward(incoming, response, target, (text, headers) => {
      // No test may get the changed scripts of another.
      if (isScript) headers["cache-control"] = "no-store";
      if (isScript) return proxy.changeScripts?.(incoming.url ?? "", text) ?? text;
      if (!String(headers["content-type"]).startsWith("text/html")) return null;
      if (!proxy.withoutScripts) return withRecorder(text, String(headers["content-security-policy"]));
      // A sandbox without allow-scripts switches scripting off, so that <noscript> shows.
      headers["content-security-policy"] += ", sandbox allow-forms allow-same-origin allow-top-navigation";
      return text;
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return Object.assign(proxy, {
    holdScripts() {
      let release = () => {};
      released = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    reset() {
      released = Promise.resolve();
      proxy.recorded.length = 0;
      proxy.scripts.clear();
      proxy.changeScripts = null;
      proxy.withoutScripts = false;
    },
    close: () => closeServer(server),
  });
}

type Change = (text: string, headers: IncomingMessage["headers"]) => string | null;

/** @param change returns the new text, or null to leave the response as it is */
function forward(incoming: IncomingMessage, response: ServerResponse, port: number, change: Change): void {
  const headers = { ...incoming.headers, "accept-encoding": "identity" };
  const outgoing = request(
    { host: "localhost", port, path: incoming.url, method: incoming.method, headers },
    async (reply) => {
      const body = await bodyOf(reply);
      const changed = { ...reply.headers };
      delete changed["transfer-encoding"];
      const text = change(String(body), changed);
      const sent = text === null ? body : Buffer.from(text);
      if (incoming.method !== "HEAD") changed["content-length"] = String(sent.length);
      response.writeHead(reply.statusCode ?? 502, changed).end(sent);
    },
  );
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Adds a script that sends what happens in the page to this proxy. Pages without scripts stay as they are. */
function withRecorder(html: string, policy: string): string {
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (nonce === undefined) return html;
  return html.replace("<head>", `<head><script nonce="${nonce}">(${recorder})("${RECORD_PATH}")</script>`);
}

/** Runs in the page. */
function recorder(path: string): void {
  const record = (text: string) => void navigator.sendBeacon(path, `${location.pathname}: ${text}`);
  for (const level of ["error", "warn"] as const) {
    const write = console[level];
    console[level] = (...values) => {
      record(`console.${level} ${values.join(" ")}`);
      write.apply(console, values);
    };
  }
  addEventListener("error", ({ message }) => message && record(`error ${message}`));
  addEventListener("unhandledrejection", ({ reason }) => record(`rejection ${reason}`));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
    record(`violation ${effectiveDirective} ${blockedURI} ${sample}`),
  );
  window.alert = (text) => record(`alert ${text}`);
  document.addEventListener("hydrated", () => {
    window.isHydrated = true;
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
