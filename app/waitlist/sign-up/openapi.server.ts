import { CHALLENGE_FIELD } from "#app/server/abuse/challenge-field.ts";
import { MAX_ADDRESS } from "#app/server/email-address.ts";
import { escapeCode } from "#app/server/http/escape-code.ts";
import {
  described,
  errorResponses,
  type JsonSchema,
  type OpenApiPart,
  type OpenApiResponse,
  type Operation,
  objectOf,
  orNull,
  refTo,
  requestBodyOf,
} from "#app/server/http/openapi.ts";
import { MAX_BODY_BYTES } from "#app/server/http/request-guards.ts";
import { letters, referrals, series } from "#app/switches.ts";
import { optionalColumnNames, optionalColumns } from "#app/waitlist/entries/entry-columns.server.ts";
import { DEFAULT_SOURCE, sourceFormat } from "#app/waitlist/entries/sources.ts";
import { answerStatuses } from "#app/waitlist/questions/answer-questions.server.ts";
import { ANSWER_TOKEN_FIELD, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";
import { acceptedQuestions } from "#app/waitlist/questions/questions.server.ts";
import { newsOnly, WORDING_FIELD } from "#app/waitlist/sign-up/consent-wording.ts";
import { signUpStatuses } from "#app/waitlist/sign-up/responses.server.ts";

const { text } = described;

const TAG = "Sign-up";

/** The public sign-up API, `worker/api.ts`, for the OpenAPI document. docs/sign-up-api.md has the same in words. */
export function signUpPart(siteUrl: string): OpenApiPart {
  const servers = [{ url: siteUrl }];
  return {
    tags: [
      {
        name: TAG,
        description:
          "Lets people join with a form of your own, without a key. Show them the wording and a link to the site’s `/privacy` first. Many generators ignore that these paths have a server of their own: give their clients the site’s address as the base URL.",
      },
    ],
    paths: {
      "/api/signup/wording": { servers, get: wordingOperation },
      "/api/signup": { servers, post: signUpOperation() },
      "/api/send-welcome": { servers, post: sendWelcomeOperation },
      // Without questions there is nothing to send to it.
      ...(acceptedQuestions().length === 0 ? {} : { "/api/answers": { servers, post: answersOperation() } }),
    },
    components: {
      schemas: {
        Wording: wordingSchema,
        SignUp: signUpSchema,
        Joined: joinedSchema,
        WelcomeRequest: objectOf({ email }),
        Done: objectOf({ ok: isTrue, message: text("A sentence for the visitor.") }, ["message"]),
        SignUpAnswers: answersSchema(),
        SignUpError: errorSchema,
      },
    },
  };
}

const isTrue: JsonSchema = { type: "boolean", const: true, description: "It worked." };

const email = text("The address.", { minLength: 1, maxLength: MAX_ADDRESS });

const wordingSchema = objectOf({
  ok: isTrue,
  version: text("State it as `wording` when people join."),
  text: text("The sentence. Show it unchanged."),
});

const campaign = optionalColumnNames.map((name) => [
  name,
  text(`${optionalColumns[name]}. Longer values are cut to 100 characters.`),
]);

const signUpSchema: JsonSchema = {
  ...objectOf({
    email,
    // No enum: clients generated today must be able to state the versions of tomorrow.
    [WORDING_FIELD]: orNull(
      text(
        `The \`version\` of the wording that was shown: the consent. Without it none is on record${letters && series ? ", and the person gets no follow-ups" : ""}.`,
      ),
    ),
    source: text("Where the visitor signed up.", { pattern: sourceFormat.pattern.source, default: DEFAULT_SOURCE }),
    ...Object.fromEntries(campaign),
    ...(referrals ? { via: text("The code of the personal link that brought the visitor.") } : {}),
    [CHALLENGE_FIELD]: text("The token of Cloudflare’s Turnstile, where the site uses it."),
  }),
  required: ["email"],
};

const suggestion = text("A corrected address, if the domain is probably misspelt.");

const joinedSchema: JsonSchema = {
  ...objectOf({
    ok: isTrue,
    message: text("A sentence for the visitor."),
    joinedOn: text("The day in words, such as `27 November 2026`."),
    ...(referrals ? { via: text("The code of the new person’s personal link.") } : {}),
    [ANSWER_TOKEN_FIELD]: text("Lets them answer the questions for an hour. Only if the site asks any."),
    questions: {
      type: "array",
      description: "What the site asks.",
      items: objectOf(
        {
          key: text("Names the question in `answers`."),
          label: text("Its name."),
          wording: text("What people read."),
          answers: {
            type: "object",
            additionalProperties: { type: "string" },
            description: "Texts by answer. Without it, the answer is a text.",
          },
        },
        ["answers"],
      ),
    },
    mustConfirm: { type: "boolean", const: true, description: "Only if the address has to be confirmed by email." },
    suggestion,
    note: text("Only for an address with letters beyond ASCII before the @, which gets no email."),
  }),
  required: ["ok", "message", "joinedOn", ...(referrals ? ["via"] : [])],
};

function answersSchema(): JsonSchema {
  const answers = acceptedQuestions().map(({ key, label, answers: choices }) => [
    key,
    orNull(
      choices === undefined
        ? text(`${escapeCode(label)}. Null removes it.`, { maxLength: MAX_ANSWER_LENGTH })
        : text(`${escapeCode(label)}. Null removes it.`, { enum: Object.keys(choices) }),
    ),
  ]);
  return objectOf({
    [ANSWER_TOKEN_FIELD]: text("From the response to joining.", { minLength: 1 }),
    answers: {
      type: "object",
      description: "Answers by question. Those that are left out stay.",
      properties: Object.fromEntries(answers),
      minProperties: 1,
      additionalProperties: false,
    },
  });
}

const errorSchema: JsonSchema = objectOf(
  {
    ok: { type: "boolean", const: false, description: "It did not work." },
    error: objectOf({ code: text("What went wrong, for programs."), message: text("A sentence for the visitor.") }),
    suggestion,
    launchUrl: text("With `launched`: the address of the product."),
  },
  ["suggestion", "launchUrl"],
);

const when: Record<string, string> = {
  "method-not-allowed": "The endpoint takes another method, which `Allow` names.",
  "malformed-json": "The body is not a JSON object.",
  "forbidden-origin":
    "The header `Origin` names another site or is `null`, as in apps that show web pages. Programs that send none pass.",
  "too-large": `The body exceeds ${MAX_BODY_BYTES} bytes.`,
  "not-json": "The `Content-Type` is not `application/json`.",
  "already-joined":
    "The address is on the list. This is also what most people get if a request is repeated after a lost response; former subscribers get 201 again.",
  launched: "The product is open, and the list is closed.",
  "invalid-email": "The address is malformed.",
  "invalid-source": "The source is malformed.",
  "unknown-wording": "The site never had this version.",
  "disposable-email": "Throwaway addresses are refused.",
  "rate-limited": "Too many attempts, or emails to this mailbox.",
  "challenge-failed": "The Turnstile token is wrong, too old or already used.",
  "unknown-question": "The site has never asked this.",
  "invalid-answer": "There is no answer, or one that was never offered.",
  "answer-too-long": `A text has more than ${MAX_ANSWER_LENGTH} characters.`,
  "invalid-token": "The token is wrong, or older than an hour.",
  unavailable:
    "Something failed on our side. Nothing was stored, or everything: it is safe to try again, with a new Turnstile token.",
};

/** Errors of every body. */
const bodyErrors = {
  "malformed-json": 400,
  "forbidden-origin": 403,
  "too-large": 413,
  "not-json": 415,
  unavailable: 503,
};

function errors(codes: Record<string, number>): Record<string, OpenApiResponse> {
  const all = Object.entries({ "method-not-allowed": 405, ...codes });
  return errorResponses(
    all.map(([code, status]) => [code, status, when[code] ?? code] as const),
    { type: "application/json", schema: "SignUpError" },
  );
}

function json(name: string) {
  return { "application/json": { schema: refTo("schemas", name) } };
}

function statusesOf<Kind extends string>(all: Record<Kind, number>, ...left: Kind[]): Record<string, number> {
  return Object.fromEntries(Object.entries<number>(all).filter(([kind]) => !left.includes(kind as Kind)));
}

const common = { tags: [TAG], security: [] };

const wordingOperation: Operation = {
  ...common,
  operationId: "getSignUpWording",
  summary: "Get what people agree to",
  description: "The sentence that the site’s own forms show now. It may be cached for a minute.",
  responses: { 200: { description: "The sentence, and its version.", content: json("Wording") }, ...errors({}) },
};

const signUpOperation = (): Operation => ({
  ...common,
  operationId: "signUp",
  summary: "Join the waitlist",
  description: "Unknown fields are ignored.",
  requestBody: requestBodyOf("SignUp", {
    email: "ada@example.com",
    source: "partner_site",
    [WORDING_FIELD]: newsOnly.version,
  }),
  responses: {
    201: {
      description:
        "The address is on the list and its email is queued. Former subscribers get the same response, and confirm by email.",
      content: json("Joined"),
    },
    ...errors({ ...bodyErrors, ...statusesOf(signUpStatuses, "joined") }),
  },
});

const sendWelcomeOperation: Operation = {
  ...common,
  operationId: "sendWelcome",
  summary: "Send the queued email at once",
  description: "Optional: what is queued is sent within minutes anyway.",
  requestBody: requestBodyOf("WelcomeRequest", { email: "ada@example.com" }),
  responses: {
    200: { description: "Whether or not the address is on the list.", content: json("Done") },
    ...errors({ ...bodyErrors, "invalid-email": 422, "rate-limited": 429 }),
  },
};

const answersOperation = (): Operation => ({
  ...common,
  operationId: "answerQuestions",
  summary: "Answer the site’s questions",
  description: "Stores all of the answers, or none. They can be changed until the token expires.",
  requestBody: requestBodyOf("SignUpAnswers", exampleAnswers()),
  responses: {
    200: { description: "The answers are stored, or the token belongs to no entry.", content: json("Done") },
    ...errors({ ...bodyErrors, ...statusesOf(answerStatuses, "answered") }),
  },
});

function exampleAnswers() {
  const [question] = acceptedQuestions();
  const answer = Object.keys(question?.answers ?? { York: "" })[0];
  const answerToken = "k7m2p9xd-mwy5cj4g.0qyVxW3nTt5kq8Zr1sUeYb2LhDfGjKpMvXcA7oNiQw4";
  return { [ANSWER_TOKEN_FIELD]: answerToken, answers: { [question?.key ?? "town"]: answer } };
}
