/*
 * What Resend's API refuses.
 * https://resend.com/docs/api-reference/errors and https://resend.com/docs/api-reference/introduction
 */

/** A response of the API: an error has `name` and `message`. */
export interface ApiResponse {
  status: number;
  body: { id: string } | { statusCode: number; name: string; message: string };
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
  if (path !== "/emails") return apiError(404, "not_found", "The requested endpoint does not exist.");
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

/** The response to an email that is invalid or that the account may not send; null if it is accepted. */
export function refuseEmail(
  body: string,
  { verified = ["waitlist-site.example"] }: AccountOptions,
): ApiResponse | null {
  const email = parse(body);
  if (email === null) return apiError(400, "validation_error", "The body must be JSON.");
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

interface SubmittedEmail {
  from?: unknown;
  to?: unknown;
  subject?: unknown;
  html?: unknown;
  text?: unknown;
  tags?: { name: string; value: string }[];
}

function parse(body: string): SubmittedEmail | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
