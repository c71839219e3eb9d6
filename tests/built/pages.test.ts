import { describe, expect, test } from "vitest";
import { milestones, statusText } from "#app/pages/roadmap/milestones.ts";
import { questions } from "#app/site.ts";
import { newsOnly } from "#app/waitlist/consent-wording.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/retention.ts";
import { read } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { needs } from "#tests/support/pool/needs.ts";

freshStorageForEachTest();

const controller = {
  CONTROLLER_NAME: "Ada Example",
  CONTROLLER_ADDRESS: "2 Bridge Street, Exampleton",
  CONTACT_EMAIL: "ask@site.example",
};

/** Headings in document order. */
function headings(html: string, level: number): string[] {
  return Array.from(html.matchAll(new RegExp(`<h${level}[^>]*>(.*?)</h${level}>`, "g")), ([, text]) => text ?? "");
}

describe("privacy policy", () => {
  test.each([
    "Last updated 4 Feb 2025",
    "26 months",
    "up to 2 years",
    "within one month",
    "within 72 hours",
    "within 5 business days",
    "no longer than 24 months after you joined",
    "Our emails link to a page about your entry",
    "Amended 22 November 2026",
    newsOnly.text,
    ...Object.values(controller),
  ])("says %s", async (text) => {
    expect((await read("/privacy", controller)).text).toContain(text);
  });

  test("names the questions that people are asked", async () => {
    const { text } = await read("/privacy");
    for (const { wording } of questions) expect(text).toContain(`“${wording}”`);
    expect(text.includes("your answers to our questions")).toBe(questions.length > 0);
  });

  test.each([
    ["Resend", { RESEND_API_KEY: "re_test" }],
    ["Cloudflare", {}],
  ])("names %s where it sends the email", async (service, vars) => {
    const { text } = await read("/privacy", vars);
    expect(text.includes("Resend")).toBe(service === "Resend");
    expect(text).toContain(service);
  });

  test("says what each analytics service receives, and that Cloudflare Web Analytics receives no events", async () => {
    const { text } = await read("/privacy");
    const statement = (name: string) => text.slice(text.indexOf(`${name} receives`)).slice(0, 330);
    expect(statement("Google Analytics (analytics)")).toContain("the fact that you joined");
    expect(statement("The Meta Pixel (marketing)")).toContain("the same actions");
    expect(statement("Cloudflare Web Analytics (analytics)")).toContain("does not learn whether you joined");
  });

  test("has its six sections, and links home at both ends", async () => {
    const { body, text } = await read("/privacy");
    expect(headings(body, 2)).toEqual([
      "Introduction",
      "Information we collect",
      "How we use your information",
      "Storage and security",
      "Your rights",
      "Contact",
    ]);
    expect(text.trim()).toMatch(/^Back to home .* Back to home$/);
  });
});

describe("privacy policy, of personal links", () => {
  needs("referrals");

  test.each([
    "if you joined through someone’s personal link: whose link it was, and whether you count as their friend. We tell neither of you who the other is",
    "how many people joined through your personal link, how many of them count, and which rewards you have earned and received",
    "The legal basis is our legitimate interest in thanking people fairly.",
    "until either of you erases their entry, which cuts the tie. A friend who counted stays in the number, without a name.",
    `a keyed hash of the mailbox, and of the domain if it is not a large provider’s, kept for ${WAITLIST_RETENTION_MONTHS} months, even if the friend erases their entry, so that no one counts twice.`,
    "so that no mailbox gets too many emails from us and no one counts twice as a friend. It cannot",
    "says what we store about personal links",
  ])("says %s", async (text) => {
    expect((await read("/privacy")).text).toContain(text);
  });
});

describe("cookie policy", () => {
  test("has its five sections, three cookie categories and date", async () => {
    const { body, text } = await read("/cookie-policy");
    expect(headings(body, 2)).toEqual([
      "What cookies are",
      "Types of cookies",
      "Your choices",
      "How to control cookies",
      "Contact",
    ]);
    expect(headings(body, 3)).toEqual(["Necessary", "Analytics", "Marketing"]);
    expect(text).toContain("Last updated 6 Feb 2025");
    expect(text).toContain("Amended 22 November 2026");
    expect(text).toContain("365 days");
  });

  test.each(["_ga", "_gid", "_gat", "_fbp", "_fbc"])("lists %s", async (name) => {
    const { body } = await read("/cookie-policy");
    expect(body).toMatch(new RegExp(`<code[^>]*>${name}</code>`));
  });
});

describe("survey", () => {
  needs("survey");

  test("frames the configured form in a sandbox, and links to it", async () => {
    const { body, text } = await read("/survey", { SURVEY_URL: "https://forms.example/s/1" });
    const frame = /<iframe[^>]*>/.exec(body)?.[0];
    expect(frame).toContain('src="https://forms.example/s/1"');
    expect(frame).toContain('sandbox="allow-forms allow-scripts allow-same-origin allow-popups"');
    expect(frame).toMatch(/title="[^"]+"/);
    expect(body).toContain('<a href="https://forms.example/s/1"');
    expect(text).toContain("Back to home");
  });

  test.each([{}, { SURVEY_URL: "http://forms.example/insecure" }])(
    "says that it opens soon, what it will ask, where to write and how to join the waitlist when the URL is missing or invalid: %j",
    async (vars) => {
      const { status, body, text } = await read("/survey", { ...vars, ...controller });
      expect(status).toBe(200);
      expect(text).toContain("opens soon");
      const questions = Array.from(body.matchAll(/<li>([^<]+\?)<\/li>/g), ([, question]) => question ?? "");
      expect(questions.length).toBeGreaterThanOrEqual(3);
      const [letter = ""] = body.match(/mailto:[^"]+body=[^"]+/) ?? [];
      const { pathname, searchParams } = new URL(letter.replaceAll("&amp;", "&"));
      expect(pathname).toBe(controller.CONTACT_EMAIL);
      for (const question of questions) expect(searchParams.get("body")).toContain(question);
      expect(body).toContain('href="/#join"');
      expect(body).not.toContain("<iframe");
    },
  );
});

describe("roadmap", () => {
  needs("roadmap");

  test("has every milestone with its date and status, in order", async () => {
    const { body, text } = await read("/roadmap");
    expect(headings(body, 2)).toEqual(milestones.map(({ title }) => title));
    const order = milestones.map(({ date, title, status }) => text.indexOf(`${date} ${statusText[status]} ${title}`));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("shows today as its last update", async () => {
    const today = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Europe/London" });
    const before = today.format();
    const { text } = await read("/roadmap");
    expect([before, today.format()].map((day) => text.includes(`Last updated ${day}`))).toContain(true);
  });
});
