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
  from: string;
  to: string;
  tags: Record<string, string>;
  subject: string;
  replyTo: string;
  /** The addresses in its text and headers. */
  links: string[];
  /** Milliseconds since 1970. */
  at: number;
}

/** How a request fails although it is valid: with an error, without a response, or after the email was accepted. */
export type Failure =
  | ApiResponse
  | "broken"
  | "accepted-with-error"
  | "accepted-without-response"
  | "accepted-but-silent";

/** The length of a rate-limit window (milliseconds). */
const WINDOW = 1_000;

/** How long idempotency keys are kept (milliseconds). */
const KEY_LIFETIME = 24 * 3_600_000;

/** An account of the fake Resend: idempotency keys, limits and accepted emails. */
export function createAccount(options: AccountOptions = {}) {
  const keys = new Map<string, { body: string; response: ApiResponse; at: number }>();
  const inProgress = new Set<string>();
  const state = { accepted: [] as AcceptedEmail[], suppressed: [] as AcceptedEmail[], requests: 0, open: 0 };
  const window = { start: Number.NEGATIVE_INFINITY, requests: 0 };
  let offset = 0;
  const now = () => Date.now() + offset;

  /** The headers that every response has. One that exceeds the rate limit has `retry-after`. */
  function countRequest(): Record<string, string> {
    const { rateLimit } = options;
    if (rateLimit === undefined) return {};
    if (now() >= window.start + WINDOW) Object.assign(window, { start: now(), requests: 0 });
    window.requests += 1;
    const reset = String(Math.ceil((window.start + WINDOW - now()) / 1_000));
    const headers = {
      "ratelimit-limit": String(rateLimit),
      "ratelimit-remaining": String(Math.max(0, rateLimit - window.requests)),
      "ratelimit-reset": reset,
    };
    return window.requests <= rateLimit ? headers : { ...headers, "retry-after": reset };
  }

  function respond(request: ApiRequest, failure: Failure | undefined): ApiResponse {
    const refused = refuseRequest(request, options);
    if (refused !== null) return refused;
    const headers = countRequest();
    if ("retry-after" in headers) return apiError(429, "rate_limit_exceeded", "Too many requests.", headers);
    const response = typeof failure === "object" ? failure : submit(request);
    return { ...response, headers: { ...headers, ...response.headers } };
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
    if (known !== undefined && now() < known.at + KEY_LIFETIME) {
      if (known.body === body) return known.response;
      return apiError(409, "invalid_idempotent_request", "Same idempotency key used with a different request payload.");
    }
    const read = readEmails(request, options);
    if ("refused" in read) return read.refused;
    const { emails, errors } = read;
    const { dailyQuota = Number.POSITIVE_INFINITY, monthlyQuota = Number.POSITIVE_INFINITY } = options;
    const used = state.accepted.length + state.suppressed.length + emails.length;
    if (used > monthlyQuota) return apiError(429, "monthly_quota_exceeded", "You have reached your monthly quota.");
    if (used > dailyQuota) return apiError(429, "daily_quota_exceeded", "You have reached your daily quota.");
    const data = emails.map((email) => accept(key, email));
    const batch = { data, ...(errors.length > 0 ? { errors } : {}) };
    const response = { status: 200, body: path === "/emails/batch" ? batch : { ...data[0] } };
    keys.set(key, { body, response, at: now() });
    return response;
  }

  function accept(
    key: string,
    { from, to, reply_to = "", subject = "", text = "", headers, tags = [] }: SubmittedEmail,
  ): { id: string } {
    const isSuppressed = options.suppressed?.includes(String(to)) === true;
    (isSuppressed ? state.suppressed : state.accepted).push({
      key,
      from: String(from),
      to: String(to),
      tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])),
      subject,
      replyTo: reply_to,
      links: [text, headers?.["List-Unsubscribe"]].join(" ").match(/https?:\/\/[^\s<>]+/g) ?? [],
      at: now(),
    });
    return { id: crypto.randomUUID() };
  }

  return {
    state,
    /** Changes the options from now on. */
    configure: (changes: AccountOptions) => void Object.assign(options, changes),
    /** Lets time pass (milliseconds). */
    advance(milliseconds: number) {
      offset += milliseconds;
    },
    /** `broken`: the connection closes without a response. `silent`: it stays open until {@link finish}. */
    handle(request: ApiRequest, failure?: Failure): ApiResponse | "broken" | "silent" {
      state.requests += 1;
      if (failure === "broken") return "broken";
      const response = respond(request, failure);
      if (response.status !== 200 || typeof failure !== "string") return response;
      if (failure === "accepted-with-error") return internalError;
      if (failure === "accepted-without-response") return "broken";
      inProgress.add(request.headers["idempotency-key"] ?? "");
      state.open = inProgress.size;
      return "silent";
    },
    /** Ends a request whose response the client never got. */
    finish(request: ApiRequest) {
      inProgress.delete(request.headers["idempotency-key"] ?? "");
      state.open = inProgress.size;
    },
  };
}

export const internalError = apiError(500, "internal_server_error", "An unexpected error occurred.");
