import { inject, onTestFinished, vi } from "vitest";
import type { Manner, ReceiverState } from "#tests/features/webhooks/webhook-receiver.ts";

/** The host names of receivers: the site only sends to public ones, and tests lead them to loopback. */
const HOST = /^https:\/\/receiver(\d+)\.example\//;

const realFetch = globalThis.fetch;

/** Opens a receiver, a real HTTP server, until the test has finished. */
export async function openReceiver(manner: Manner = 200) {
  const server = inject("webhookReceiverUrl");
  const id = await (await realFetch(`${server}/new`, { method: "POST" })).text();
  const own = `${server}/${id}`;
  leadToLoopback(server);
  const receiver = {
    /** As an owner pastes it. */
    url: `https://receiver${id}.example/hook`,
    /** Where it really is. */
    loopback: own,
    state: async (): Promise<ReceiverState> => (await realFetch(`${own}/state`)).json(),
    count: async (): Promise<number> => (await receiver.state()).received.length,
    /** Changes how it treats events from now on. */
    async change(next: Manner, headers: Record<string, string> = {}) {
      await realFetch(`${own}/manner`, { method: "POST", body: JSON.stringify({ manner: next, headers }) });
    },
    /** The events that arrived, parsed, each with its id. */
    async events() {
      const { received } = await receiver.state();
      return received.map(({ headers, body }) => ({ id: headers["webhook-id"] ?? "", ...JSON.parse(body) }));
    },
  };
  await receiver.change(manner);
  return receiver;
}

export type OpenReceiver = Awaited<ReturnType<typeof openReceiver>>;

/** Carries out the requests to receivers, such as in a process that is killed. */
export const transport = { send: <T>(request: () => Promise<T>): Promise<T> => request() };

function leadToLoopback(server: string) {
  if (vi.isMockFunction(globalThis.fetch)) return;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = String(input).replace(HOST, `${server}/$1/`);
    return transport.send(() => realFetch(url, init));
  });
  onTestFinished(() => void vi.restoreAllMocks());
}
