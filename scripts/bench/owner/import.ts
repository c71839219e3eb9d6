import { memorySampler } from "#scripts/bench/owner/export.ts";
import { emailedLink, OWNER } from "#scripts/lib/owner-site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";

export interface ImportMeasurement {
  people: number;
  megabytes: number;
  /** Seconds for the upload, for the check, and from the confirmation until everyone is added. */
  upload: number;
  check: number;
  import: number;
  /** Resident memory of the runtime (MB): before, and the peak in each quarter of the time. */
  before: number;
  peaks: number[];
}

/** Seconds that uploading, checking and importing may take together. */
export const IMPORT_LIMIT = 60;

/** Imports a file through the owner's pages while sampling the runtime's memory. */
export async function measureImport(site: RunningSite, cookie: string, people: number): Promise<ImportMeasurement> {
  const csv = sampleCsv(people);
  const sampler = await memorySampler(site.pid);
  const began = performance.now();
  const times = await postImport(site, cookie, csv, { welcome: "no" });
  while ((await site.rows("imports")).at(-1)?.["state"] !== "done") await site.sweep();
  const seconds = (performance.now() - began) / 1_000;
  const { before, peaks } = await sampler.stop();
  const { upload, check } = times;
  return { people, megabytes: csv.length / 1_048_576, upload, check, import: seconds - upload - check, before, peaks };
}

/** Uploads a file, checks it and confirms the import. @returns how long the first two took (seconds) */
export async function postImport(
  { url }: RunningSite,
  cookie: string,
  csv: string,
  { welcome }: { welcome: "yes" | "no" },
): Promise<{ upload: number; check: number }> {
  const post = async (path: string, body: FormData | URLSearchParams) => {
    const began = performance.now();
    const response = await fetch(url + path, {
      method: "POST",
      body,
      redirect: "manual",
      headers: { Cookie: cookie, Origin: url },
    });
    await response.arrayBuffer();
    if (response.status !== 303) throw new Error(`${path} returned ${response.status}`);
    return { path: response.headers.get("Location") ?? "", seconds: (performance.now() - began) / 1_000 };
  };
  const file = new FormData();
  file.set("file", new File([csv], "people.csv"));
  const uploaded = await post("/owner/import", file);
  const settings = { "consent-date": "2026-10-05", note: "Paper list", welcome };
  const columns = Object.fromEntries(["email", "consent", "source"].map((name, index) => [`c${index}`, name]));
  const checked = await post(uploaded.path, new URLSearchParams({ intent: "check", ...settings, ...columns }));
  const review = await (await fetch(url + uploaded.path, { headers: { Cookie: cookie } })).text();
  const confirmed = /name="checked" value="(\d+)"/.exec(review)?.[1] ?? "";
  await post(uploaded.path, new URLSearchParams({ intent: "confirm", checked: confirmed }));
  return { upload: uploaded.seconds, check: checked.seconds };
}

/** Signs in as the owner without a browser. @returns the `Cookie` header */
export async function signInCookie(site: RunningSite): Promise<string> {
  const post = (url: string, body?: URLSearchParams) =>
    fetch(url, { method: "POST", redirect: "manual", headers: { Origin: site.url }, ...(body ? { body } : {}) });
  await post(`${site.url}/owner/sign-in`, new URLSearchParams({ email: OWNER }));
  const response = await post(await emailedLink(site));
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

function sampleCsv(people: number): string {
  const rows = Array.from(
    { length: people },
    (_, n) => `bench-import-${n}@example.com,2026-10-05,Autumn Fair ${n % 40}`,
  );
  return `email,consent,source\n${rows.join("\n")}\n`;
}
