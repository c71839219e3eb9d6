/*
 * What Resend's API refuses.
 * https://resend.com/docs/api-reference/errors and https://resend.com/docs/api-reference/introduction
 */

/** A response of the API: an error has `name` and `message`. */
export interface ApiResponse {
  status: number;
  body:
    | { id: string }
    | { data: { id: string }[]; errors?: { index: number; message: string }[] }
    | { statusCode: number; name: string; message: string };
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

export function apiError(
  status: number,
  name: string,
  message: string,
  headers: Record<string, string> = {},
): ApiResponse {
  return { status, body: { statusCode: status, name, message }, headers };
}

/** The response to a request that never reaches the account; null if it does. */
export function refuseRequest({ method, path, headers }: ApiRequest, { apiKey }: AccountOptions): ApiResponse | null {
  if (path !== "/emails" && path !== "/emails/batch")
    return apiError(404, "not_found", "The requested endpoint does not exist.");
  if (method !== "POST") return apiError(405, "method_not_allowed", "Method is not allowed for the requested path.");
  const [, key] = /^Bearer (.+)$/.exec(headers["authorization"] ?? "") ?? [];
  if (key === undefined) return apiError(401, "missing_api_key", "Missing API key in the authorization header.");
  const isValid = apiKey === undefined ? key.startsWith("re_") : key === apiKey;
  if (!isValid) return apiError(403, "invalid_api_key", "API key is invalid.");
  const idempotencyKey = headers["idempotency-key"];
  if (idempotencyKey !== undefined && (idempotencyKey === "" || idempotencyKey.length > 256)) {
    return apiError(400, "invalid_idempotency_key", "The key must be between 1-256 chars.");
  }
  return null;
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
): { emails: SubmittedEmail[]; invalid: Map<number, string> } | { refused: ApiResponse } {
  const parsed = parse(body);
  if (parsed === null) return { refused: apiError(400, "validation_error", "The body must be JSON.") };
  const isBatch = path === "/emails/batch";
  if (isBatch !== Array.isArray(parsed)) {
    return { refused: apiError(422, "validation_error", `The body must be ${isBatch ? "an array" : "an object"}.`) };
  }
  const emails = [parsed].flat() as SubmittedEmail[];
  if (emails.length === 0 || emails.length > MAX_BATCH) {
    return {
      refused: apiError(422, "validation_error", `A batch has 1 to ${MAX_BATCH} emails, not ${emails.length}.`),
    };
  }
  const mode = headers["x-batch-validation"] ?? "strict";
  if (mode !== "strict" && mode !== "permissive") {
    return { refused: apiError(422, "validation_error", "The batch validation must be strict or permissive.") };
  }
  const invalid = new Map<number, string>();
  for (const [index, email] of emails.entries()) {
    const refused = refuseEmail(email, isBatch, options);
    if (refused === null) continue;
    if (!isBatch || mode === "strict" || refused.status === 403) return { refused };
    invalid.set(index, "message" in refused.body ? refused.body.message : "");
  }
  return { emails, invalid };
}

/** The response to an email that is invalid or that the account may not send; null if it is accepted. */
function refuseEmail(
  email: SubmittedEmail,
  inBatch: boolean,
  { verified = ["waitlist-site.example"] }: AccountOptions,
): ApiResponse | null {
  if (inBatch && (email.attachments !== undefined || email.scheduled_at !== undefined)) {
    return apiError(422, "validation_error", "Batches have no `attachments` and no `scheduled_at`.");
  }
  const { from, to, subject, html, text, tags = [] } = email;
  for (const [name, value] of Object.entries({ from, to, subject })) {
    if (!value) return apiError(422, "missing_required_field", `Missing \`${name}\` field.`);
  }
  if (!html && !text) return apiError(422, "missing_required_field", "Missing `html` or `text` field.");
  const domain = ADDRESS.exec(String(from))?.[1];
  if (domain === undefined) return apiError(422, "invalid_from_address", "Invalid `from` field.");
  if (!verified.includes(domain)) {
    return apiError(
      403,
      "validation_error",
      `The ${domain} domain is not verified. Please, add and verify your domain.`,
    );
  }
  const recipients = [to].flat().map(String);
  if (recipients.length > 50 || !recipients.every((address) => ADDRESS.test(address))) {
    return apiError(422, "validation_error", `Invalid \`to\` field: ${recipients.join(", ")}`);
  }
  // https://resend.com/docs/dashboard/emails/tags
  if (!tags.every(({ name, value }) => TAG.test(name) && TAG.test(value))) {
    return apiError(
      422,
      "validation_error",
      "Tags should only contain ASCII letters, numbers, underscores, or dashes.",
    );
  }
  return null;
}

const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;
const TAG = /^[\w-]{1,256}$/;

export interface SubmittedEmail {
  from?: unknown;
  to?: string | string[];
  subject?: string;
  html?: unknown;
  text?: string;
  headers?: Record<string, string>;
  attachments?: unknown;
  scheduled_at?: unknown;
  tags?: { name: string; value: string }[];
}

function parse(body: string): SubmittedEmail | SubmittedEmail[] | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" ? (value as SubmittedEmail | SubmittedEmail[] | null) : null;
  } catch {
    return null;
  }
}
