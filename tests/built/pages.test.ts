import { describe, expect, test } from "vitest";
import { questions } from "#app/site.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { read } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";

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

test.each(["/privacy", "/cookie-policy"])("the sitemap dates %s by its newest change", async (path) => {
  const [, change = "none"] = /class="policy-changes".*?dateTime="([\d-]+)"/s.exec((await read(path)).body) ?? [];
  expect((await read("/sitemap.xml")).body).toContain(`${path}</loc><lastmod>${change}</lastmod>`);
});

describe("privacy policy", () => {
  test("has the controller, the periods, the dates and today's words of consent", async () => {
    const { text } = await read("/privacy", controller);
    for (const words of [
      ...["Ada Example", "2 Bridge Street, Exampleton", "ask@site.example", newsOnly.text],
      ...["26 months", "up to 2 years", "within one month", "within 72 hours", "24 months after you joined"],
      ...["Last updated 4 Feb 2025", "and amended since", "22 Nov 2026"],
    ]) {
      expect(text).toContain(words);
    }
  });

  test("names the questions that people are asked", async () => {
    const { text } = await read("/privacy");
    for (const { wording } of questions) expect(text).toContain(`“${wording}”`);
    expect(text.includes("your answers to our questions")).toBe(questions.length > 0);
  });

  test("names Resend where it sends the email", async () => {
    expect((await read("/privacy", { RESEND_API_KEY: "re_test" })).text).toContain("Resend");
    expect((await read("/privacy")).text).not.toContain("Resend");
  });

  test("says what each analytics service receives, and that Cloudflare Web Analytics receives no events", async () => {
    const { text } = await read("/privacy");
    const statement = (name: string) => text.slice(text.indexOf(`${name} receives`)).slice(0, 330);
    expect(statement("Google Analytics (analytics)")).toContain("the fact that you joined");
    expect(statement("The Meta Pixel (marketing)")).toContain("the same actions");
    expect(statement("Cloudflare Web Analytics (analytics)")).toContain("does not learn whether you joined");
  });
});

describe("privacy policy, of programs that keep a copy", () => {
  needs("api");

  test("says what is stored of a change, and for how long", async () => {
    expect((await read("/privacy")).text).toContain(
      "the number of your entry and when it changed, kept for 30 days, also after it is erased",
    );
  });
});

describe("privacy policy, of personal links", () => {
  needs("referrals");

  test("says what is stored, why, and until when", async () => {
    const { text } = await read("/privacy");
    for (const words of [
      "whose link it was, and whether you count as their friend. We tell neither of you who the other is",
      "how many people joined through your personal link, how many of them count, and which rewards",
      "our legitimate interest in thanking people fairly",
      "until either of you erases their entry",
      "a keyed hash of the mailbox",
      "kept for 24 months, even if the friend erases their entry",
    ]) {
      expect(text).toContain(words);
    }
  });
});

describe("cookie policy", () => {
  test("has its three categories, how long a choice lasts, its date, and the cookies of other services", async () => {
    const { body, text } = await read("/cookie-policy");
    expect(headings(body, 3)).toEqual(["Necessary", "Analytics", "Marketing"]);
    for (const words of ["Last updated 6 Feb 2025", "and amended since", "22 Nov 2026", "365 days"]) {
      expect(text).toContain(words);
    }
    for (const name of ["_ga", "_gid", "_gat", "_fbp", "_fbc"]) {
      expect(body).toMatch(new RegExp(`<code[^>]*>${name}</code>`));
    }
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
