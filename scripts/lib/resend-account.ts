import { createHash } from "node:crypto";
import {
  type AccountOptions,
  type ApiRequest,
  type ApiResponse,
  apiError,
  readEmails,
  refuseRequest,
  type SubmittedEmail,
} from "#scripts/lib/resend-rules.ts";

export interface AcceptedEmail {
  /** Idempotency key. */
  key: string;
  to: string;
  /** The value of the tag `email_id`. */
  emailId: string | null;
  tags: Record<string, string>;
  subject: string;
  /** The addresses in its text and headers. */
  links: string[];
  /** Milliseconds since 1970. */
  at: number;
}

/** A request's response, and whether the client gets it. */
export interface Handled {
  response: ApiResponse;
  /** `never`: the connection stays open. `broken`: it closes without a response. */
  delivery: "sent" | "never" | "broken";
}

/** How a request fails although it is valid: with an error, without a response, or after the email was accepted. */
export type Failure =
  | ApiResponse
  | "broken"
  | "accepted-with-error"
  | "accepted-without-response"
  | "accepted-but-silent";

const NO_RESPONSE = apiError(503, "service_unavailable", "The connection breaks before this response.");

/** The length of a rate-limit window (milliseconds). */
const WINDOW = 1_000;

/** How long idempotency keys are kept (milliseconds). */
const KEY_LIFETIME = 24 * 3_600_000;

/** An account of the fake Resend: idempotency keys, limits and accepted emails. */
export function createAccount(options: AccountOptions = {}) {
  const keys = new Map<string, { body: string; response: ApiResponse; at: number }>();
  const inProgress = new Set<string>();
  const accepted: AcceptedEmail[] = [];
  const suppressed: AcceptedEmail[] = [];
  const window = { start: Number.NEGATIVE_INFINITY, requests: 0 };
  let offset = 0;
  let requests = 0;
  const now = () => Date.now() + offset;

  /** The headers that every response has, and whether the request is within the rate limit. */
  function countRequest(): { allowed: boolean; headers: Record<string, string> } {
    const { rateLimit } = options;
    if (rateLimit === undefined) return { allowed: true, headers: {} };
    if (now() >= window.start + WINDOW) Object.assign(window, { start: now(), requests: 0 });
    window.requests += 1;
    const reset = String(Math.ceil((window.start + WINDOW - now()) / 1_000));
    const allowed = window.requests <= rateLimit;
    const headers = {
      "ratelimit-limit": String(rateLimit),
      "ratelimit-remaining": String(Math.max(0, rateLimit - window.requests)),
      "ratelimit-reset": reset,
      ...(allowed ? {} : { "retry-after": reset }),
    };
    return { allowed, headers };
  }

  function respond(request: ApiRequest, failure: Failure | undefined): ApiResponse {
    const refused = refuseRequest(request, options);
    if (refused !== null) return refused;
    const { allowed, headers } = countRequest();
    const withHeaders = (response: ApiResponse) => ({ ...response, headers: { ...headers, ...response.headers } });
    if (!allowed) return withHeaders(apiError(429, "rate_limit_exceeded", "Too many requests."));
    if (typeof failure === "object") return withHeaders(failure);
    return withHeaders(submit(request));
  }

  function submit(request: ApiRequest): ApiResponse {
    const { headers, path } = request;
    const key = headers["idempotency-key"] ?? crypto.randomUUID();
    // Its hash, since a batch of a long letter has megabytes.
    const body = createHash("sha256").update(`${path} ${request.body}`).digest("base64");
    if (inProgress.has(key)) {
      return apiError(409, "concurrent_idempotent_requests", "The original request is still in progress.");
    }
    const known = keys.get(key);
    const isKnown = known !== undefined && now() < known.at + KEY_LIFETIME;
    if (isKnown && known.body !== body) {
      return apiError(409, "invalid_idempotent_request", "Same idempotency key used with a different request payload.");
    }
    if (isKnown) return known.response;
    const read = readEmails(request, options);
    if ("refused" in read) return read.refused;
    const valid = read.emails.filter((_, index) => !read.invalid.has(index));
    const { dailyQuota = Number.POSITIVE_INFINITY, monthlyQuota = Number.POSITIVE_INFINITY } = options;
    const used = accepted.length + suppressed.length + valid.length;
    if (used > monthlyQuota) return apiError(429, "monthly_quota_exceeded", "You have reached your monthly quota.");
    if (used > dailyQuota) return apiError(429, "daily_quota_exceeded", "You have reached your daily quota.");
    const ids = valid.map((email) => accept(key, email));
    const errors = Array.from(read.invalid, ([index, message]) => ({ index, message }));
    const response: ApiResponse = {
      status: 200,
      body:
        path === "/emails/batch"
          ? { data: ids, ...(errors.length > 0 ? { errors } : {}) }
          : { id: ids[0]?.id ?? crypto.randomUUID() },
    };
    keys.set(key, { body, response, at: now() });
    return response;
  }

  function accept(key: string, email: SubmittedEmail): { id: string } {
    const { subject = "", text = "", headers } = email;
    const to = String(email.to);
    const tags = Object.fromEntries((email.tags ?? []).map(({ name, value }) => [name, value]));
    const list = options.suppressed?.includes(to) === true ? suppressed : accepted;
    const links = [text, headers?.["List-Unsubscribe"]].join(" ").match(/https?:\/\/[^\s<>]+/g) ?? [];
    list.push({ key, to, emailId: tags["email_id"] ?? null, tags, subject, links, at: now() });
    return { id: crypto.randomUUID() };
  }

  return {
    handle(request: ApiRequest, failure?: Failure): Handled {
      requests += 1;
      if (failure === "broken") return { response: NO_RESPONSE, delivery: "broken" };
      const response = respond(request, failure);
      if (response.status !== 200 || typeof failure === "object" || failure === undefined) {
        return { response, delivery: "sent" };
      }
      if (failure === "accepted-with-error") {
        return { response: apiError(500, "internal_server_error", "An unexpected error occurred."), delivery: "sent" };
      }
      if (failure === "accepted-without-response") return { response, delivery: "broken" };
      const key = request.headers["idempotency-key"] ?? "";
      inProgress.add(key);
      return { response, delivery: "never" };
    },
    /** Ends a request whose response the client never got. */
    finish: (key: string) => void inProgress.delete(key),
    /** Lets time pass (milliseconds). */
    advance(milliseconds: number) {
      offset += milliseconds;
    },
    /** Changes the options from now on. */
    configure: (changes: AccountOptions) => void Object.assign(options, changes),
    accepted: () => accepted,
    suppressed: () => suppressed,
    requests: () => requests,
  };
}

export type Account = ReturnType<typeof createAccount>;
