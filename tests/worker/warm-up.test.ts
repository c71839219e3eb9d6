import { expect, onTestFinished, test, vi } from "vitest";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";
import { createApp } from "#worker/app.ts";
import { createAppContext } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";
import { runScheduled } from "#worker/scheduled.ts";
import { warmUp } from "#worker/warm-up/index.ts";

const log = freshStorageForEachTest();

test("the start-up waits for the warm-up, which runs with stand-ins for what the runtime refuses then", async () => {
  const { setTimeout: original } = globalThis;
  const hadStandIns: boolean[] = [];
  const look = async () => {
    await null;
    hadStandIns.push(globalThis.setTimeout !== original);
  };
  await warmUp({
    async fetch() {
      await look();
      return new Response("ok");
    },
    async scheduled(env) {
      await look();
      await env.EMAIL.send({ from: "a@a.example", to: "b@b.example", subject: "a", text: "b" });
    },
  });
  expect(hadStandIns.length).toBeGreaterThan(3);
  expect(hadStandIns).not.toContain(false);
  expect(globalThis.setTimeout).toBe(original);
  expect(log).toEqual([]);
});

test("the Worker's own requests and its cron job send an email to the stand-ins", async () => {
  // The stand-ins are for its own methods, and here it inherits some.
  const { error, info, log: write, warn } = console;
  vi.stubGlobal("console", { error, info, log: write, warn });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { fetch } = createApp(async () => new Response("a page"));
  await warmUp({ fetch, scheduled: (env, execution) => runScheduled(createAppContext(env, execution, added)) });
  expect(log).toEqual([]);
});

test("a warm-up that does not end lets the Worker start, and says so", async () => {
  await warmUp({ fetch: () => new Promise<Response>(() => {}), scheduled: async () => {} });
  expect(log).toEqual([expect.stringContaining("it did not end")]);
});
