// Prints what the built site sends, as JSON by name: every page, the texts for machines, and the welcome email.
import { startSite } from "#scripts/lib/running-site.ts";
import { paths } from "#scripts/lib/site-paths.ts";

const ADDRESS = "ada@example.com";

const site = await startSite({ vars: { OWNER_EMAIL: "owner@example.com" } });
const rendered: Record<string, string> = {};
for (const path of [...paths, "/owner", "/llms.txt", "/sitemap.xml", "/robots.txt", "/api/v1/openapi.json"]) {
  rendered[path] = await (await fetch(site.url + path)).text();
}
const headers = { "Content-Type": "application/json" };
for (const path of ["/api/signup", "/api/send-welcome"]) {
  await fetch(site.url + path, { method: "POST", headers, body: JSON.stringify({ email: ADDRESS }) });
}
await site.sweep();
const { subject, text, html } = await site.emailTo(ADDRESS);
rendered["the welcome email"] = [subject, text, html].join("\n");
await site.stop();
console.log(JSON.stringify(rendered));
