import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { root } from "#scripts/lib/commands.ts";

test("Cloudflare records the Worker's own log lines, and no request with its URL and IP address", () => {
  const { observability, logpush, tail_consumers } = unstable_readConfig({ config: `${root}/wrangler.toml` });
  expect(observability).toMatchObject({
    enabled: true,
    logs: { enabled: true, invocation_logs: false },
    traces: { enabled: false },
  });
  expect(logpush ?? false).toBe(false);
  expect(tail_consumers ?? []).toEqual([]);
});
