import { measureMemory } from "#scripts/bench/memory.ts";
import type { GroupOptions, Outcome } from "#scripts/bench/outcome.ts";
import { startSite } from "#scripts/bench/workers.ts";
import { paths } from "#scripts/lib/site-paths.ts";

/** Measures how the memory of a warm runtime grows over 10,000 visits, all different. */
export async function measureRuntime({ short }: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "socket" });
  const side = { ...site, name: "the site", nextRequest: visits() };
  const { warm, peak } = await measureMemory(side, short ? 200 : 10_000);
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
  return {
    values: { memory: peak / warm - 1 },
    tables: [
      {
        title: "Peak memory of the runtime, including simulators, in MB",
        head: ["after the warm-up", "after 10,000 more"],
        rows: [[megabytes(warm), megabytes(peak)]],
      },
    ],
  };
}

/** Every page in turn, with a different campaign and varying consent: responses must not accumulate in a cache. */
function visits() {
  const pages = paths.slice(0, -1);
  let count = 0;
  return () => {
    count += 1;
    const choice = { necessary: true, analytics: count % 2 === 0, marketing: count % 3 === 0 };
    return {
      method: "GET" as const,
      path: `${pages[count % pages.length]}?utm_campaign=bench${count}`,
      headers: { Cookie: `cookiePreferences=${encodeURIComponent(JSON.stringify(choice))}` },
    };
  };
}
