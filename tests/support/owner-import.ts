import { emailedLink, OWNER } from "#scripts/lib/owner-site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";

/** Uploads a file, checks it and confirms the import, with welcome emails. */
export async function postImport({ url }: RunningSite, cookie: string, csv: string): Promise<void> {
  const post = async (path: string, body: FormData | URLSearchParams) => {
    const response = await fetch(url + path, {
      method: "POST",
      body,
      redirect: "manual",
      headers: { Cookie: cookie, Origin: url },
    });
    await response.arrayBuffer();
    if (response.status !== 303) throw new Error(`${path} returned ${response.status}`);
    return response.headers.get("Location") ?? "";
  };
  const file = new FormData();
  file.set("file", new File([csv], "people.csv"));
  const uploaded = await post("/owner/import", file);
  const settings = { "consent-date": "2026-10-05", note: "Paper list", welcome: "yes" };
  const columns = Object.fromEntries(["email", "consent", "source"].map((name, index) => [`c${index}`, name]));
  await post(uploaded, new URLSearchParams({ intent: "check", ...settings, ...columns }));
  const review = await (await fetch(url + uploaded, { headers: { Cookie: cookie } })).text();
  const confirmed = /name="checked" value="(\d+)"/.exec(review)?.[1] ?? "";
  await post(uploaded, new URLSearchParams({ intent: "confirm", checked: confirmed }));
}

/** Signs in as the owner without a browser. @returns the `Cookie` header */
export async function signInCookie(site: RunningSite): Promise<string> {
  const post = (url: string, body?: URLSearchParams) =>
    fetch(url, { method: "POST", redirect: "manual", headers: { Origin: site.url }, ...(body ? { body } : {}) });
  await post(`${site.url}/owner/sign-in`, new URLSearchParams({ email: OWNER }));
  const response = await post(await emailedLink(site));
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
