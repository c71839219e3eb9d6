import {
  type AccountOptions,
  type ApiRequest,
  type ApiResponse,
  apiError,
  refuseEmail,
  refuseRequest,
} from "#scripts/lib/resend-rules.ts";

export interface AcceptedEmail {
  /** Idempotency key. */
  key: string;
  to: string;
  /** The value of the tag `email_id`. */
  emailId: string | null;
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

interface SubmittedEmail {
  to: string;
  subject: string;
  text?: string;
  headers?: Record<string, string>;
  tags?: { name: string; value: string }[];
}

const NO_RESPONSE = apiError(503, "service_unavailable", "The connection breaks before this response.");

/** The length of a rate-limit window (milliseconds). */
const WINDOW = 1_000;

/** An account of the fake Resend: idempotency keys, limits and accepted emails. */
export function createAccount(options: AccountOptions = {}) {
  const keys = new Map<string, { body: string; response: ApiResponse }>();
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

  function submit({ headers, body }: ApiRequest): ApiResponse {
    const key = headers["idempotency-key"] ?? crypto.randomUUID();
    if (inProgress.has(key)) {
      return apiError(409, "concurrent_idempotent_requests", "The original request is still in progress.");
    }
    const known = keys.get(key);
    if (known !== undefined && known.body !== body) {
      return apiError(409, "invalid_idempotent_request", "Same idempotency key used with a different request payload.");
    }
    if (known !== undefined) return known.response;
    const refused = refuseEmail(body, options);
    if (refused !== null) return refused;
    const { dailyQuota = Number.POSITIVE_INFINITY, monthlyQuota = Number.POSITIVE_INFINITY } = options;
    const used = accepted.length + suppressed.length;
    if (used >= monthlyQuota) return apiError(429, "monthly_quota_exceeded", "You have reached your monthly quota.");
    if (used >= dailyQuota) return apiError(429, "daily_quota_exceeded", "You have reached your daily quota.");
    const { to, tags, subject, text = "", headers: own } = JSON.parse(body) as SubmittedEmail;
    const emailId = tags?.find(({ name }) => name === "email_id")?.value ?? null;
    const list = options.suppressed?.includes(to) === true ? suppressed : accepted;
    const links = [text, own?.["List-Unsubscribe"]].join(" ").match(/https?:\/\/[^\s<>]+/g) ?? [];
    list.push({ key, to, emailId, subject, links, at: now() });
    const response: ApiResponse = { status: 200, body: { id: crypto.randomUUID() } };
    keys.set(key, { body, response });
    return response;
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
    accepted: () => accepted,
    suppressed: () => suppressed,
    requests: () => requests,
  };
}

export type Account = ReturnType<typeof createAccount>;
