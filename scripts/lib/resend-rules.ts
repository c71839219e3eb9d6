/*
 * What Resend's API refuses.
 * https://resend.com/docs/api-reference/errors and https://resend.com/docs/api-reference/introduction
 */

/** A response of the API. The body of an error has `name` and `message`. */
export interface ApiResponse {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

export interface ApiRequest {
  method: string;
  path: string;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  body: string;
}

export interface AccountOptions {
  /** The only valid key; by default, all that begin with `re_`. */
  apiKey?: string;
  /** Domains that may send. */
  verified?: string[];
  /** Recipients whose emails are accepted, but not delivered. */
  suppressed?: string[];
  /** Requests a second. */
  rateLimit?: number;
  dailyQuota?: number;
  monthlyQuota?: number;
}

export function apiError(status: number, name: string, message: string, headers: Record<string, string> = {}) {
  return { status, body: { statusCode: status, name, message }, headers };
}

const invalid = (message: string, status = 422) => apiError(status, "validation_error", message);

/** The response to a request that never reaches the account; null if it does. */
export function refuseRequest({ method, path, headers }: ApiRequest, { apiKey }: AccountOptions): ApiResponse | null {
  if (path !== "/emails" && path !== "/emails/batch")
    return apiError(404, "not_found", "The requested endpoint does not exist.");
  if (method !== "POST") return apiError(405, "method_not_allowed", "Method is not allowed for the requested path.");
  const [, key] = /^Bearer (.+)$/.exec(headers["authorization"] ?? "") ?? [];
  if (key === undefined) return apiError(401, "missing_api_key", "Missing API Key");
  if (!key.startsWith("re_")) return invalid("API key is invalid", 400);
  if (apiKey !== undefined && key !== apiKey) return invalid("API key is invalid", 401);
  const { length } = headers["idempotency-key"] ?? "-";
  if (length < 1 || length > 256)
    return apiError(400, "invalid_idempotency_key", "The key must be between 1-256 chars.");
  return null;
}

export interface SubmittedEmail {
  from?: unknown;
  to?: string | string[];
  reply_to?: string;
  subject?: string;
  html?: unknown;
  text?: string;
  headers?: Record<string, string>;
  attachments?: unknown;
  scheduled_at?: unknown;
  tags?: { name: string; value: string }[];
}

/** Emails that one request to `/emails/batch` may have. */
const MAX_BATCH = 100;

/**
 * The emails of a request, those that are invalid (by index), or the response to a request that is refused as a whole. One
 * invalid email refuses a batch, unless `x-batch-validation` is `permissive`; so does a sender that may not send.
 * https://resend.com/docs/api-reference/emails/send-batch-emails
 */
export function readEmails(
  { path, headers, body }: ApiRequest,
  options: AccountOptions,
): { emails: SubmittedEmail[]; errors: { index: number; message: string }[] } | { refused: ApiResponse } {
  const parsed = parse(body);
  if (typeof parsed !== "object" || parsed === null) return { refused: invalid("The body must be JSON.", 400) };
  const isBatch = path === "/emails/batch";
  if (isBatch !== Array.isArray(parsed)) {
    return { refused: invalid(`The body must be ${isBatch ? "an array" : "an object"}.`) };
  }
  const emails: SubmittedEmail[] = [parsed].flat();
  if (emails.length === 0 || emails.length > MAX_BATCH) {
    return { refused: invalid(`A batch has 1 to ${MAX_BATCH} emails, not ${emails.length}.`) };
  }
  const mode = headers["x-batch-validation"] ?? "strict";
  if (mode !== "strict" && mode !== "permissive") {
    return { refused: invalid("The batch validation must be strict or permissive.") };
  }
  const refusals = emails.map((email) => refuseEmail(email, isBatch, options));
  const refused = refusals.find(
    (refusal) => refusal !== null && (!isBatch || mode === "strict" || refusal.status === 403),
  );
  if (refused) return { refused };
  return {
    emails: emails.filter((_, index) => refusals[index] === null),
    errors: refusals.flatMap((refusal, index) => (refusal === null ? [] : [{ index, message: refusal.body.message }])),
  };
}

const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;
/** An address, or a name and an address: https://resend.com/docs/api-reference/emails/send-email */
const NAMED = /^(?:"[^"\\]*"|[^"<>(),;:[\]\\@.]+) <([^<>]+)>$/;
const TAG = /^[\w-]{1,256}$/;

/** The response to an email that is invalid or that the account may not send; null if it is accepted. */
function refuseEmail(
  { attachments, scheduled_at, from, to, subject, html, text, tags = [] }: SubmittedEmail,
  inBatch: boolean,
  { verified = ["waitlist-site.example"] }: AccountOptions,
) {
  if (inBatch && (attachments !== undefined || scheduled_at !== undefined)) {
    return invalid("Batches have no `attachments` and no `scheduled_at`.");
  }
  for (const [name, value] of Object.entries({ from, to, subject, "html` or `text": html || text })) {
    if (!value) return apiError(422, "missing_required_field", `Missing \`${name}\` field.`);
  }
  const domain = ADDRESS.exec(NAMED.exec(String(from))?.[1] ?? String(from))?.[1];
  if (domain === undefined) return apiError(422, "invalid_from_address", "Invalid `from` field.");
  if (!verified.includes(domain)) {
    return invalid(`The ${domain} domain is not verified. Please, add and verify your domain.`, 403);
  }
  const recipients = [to].flat().map(String);
  if (recipients.length > 50 || !recipients.every((address) => ADDRESS.test(address))) {
    return invalid(`Invalid \`to\` field: ${recipients.join(", ")}`);
  }
  // https://resend.com/docs/dashboard/emails/tags
  if (!tags.every(({ name, value }) => TAG.test(name) && TAG.test(value))) {
    return invalid("Tags should only contain ASCII letters, numbers, underscores, or dashes.");
  }
  return null;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
