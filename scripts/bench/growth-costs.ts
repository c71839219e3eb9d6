import type { Table } from "#scripts/bench/outcome.ts";

/** Bytes that a sign-up takes in D1 with its sent email, and once this is deleted (`npm run bench -- --only storage`). */
export const BYTES = { sent: 580, forgotten: 400 };

/** Rows of a sign-up with its email until that is deleted, and those that a claim reads for each email of the last hour. */
export const ROWS = { written: 16, readByClaim: 1 };

/** Visits for each sign-up, and requests besides them: the sign-up and its email. */
const VISITS = 20;
const REQUESTS = 2;

/** How long people take to join, at a constant rate (hours). */
const HOURS = 30 * 24;

/** Included in the Workers Paid plan each month, and the price of more (US dollars). */
interface Price {
  included: number;
  unit: number;
  price: number;
}

const MILLION = 1_000_000;
const GB = 1_000_000_000;

/**
 * Read in November 2026. https://developers.cloudflare.com/d1/platform/pricing/,
 * https://developers.cloudflare.com/workers/platform/pricing/,
 * https://developers.cloudflare.com/analytics/analytics-engine/pricing/,
 * https://developers.cloudflare.com/durable-objects/platform/pricing/,
 * https://developers.cloudflare.com/queues/platform/pricing/ and
 * https://developers.cloudflare.com/email-service/platform/pricing/
 */
const prices = {
  storage: { included: 5 * GB, unit: GB, price: 0.75 },
  rowsWritten: { included: 50 * MILLION, unit: MILLION, price: 1 },
  rowsRead: { included: 25_000 * MILLION, unit: MILLION, price: 0.001 },
  requests: { included: 10 * MILLION, unit: MILLION, price: 0.3 },
  dataPoints: { included: 10 * MILLION, unit: MILLION, price: 0.25 },
  objectRequests: { included: MILLION, unit: MILLION, price: 0.15 },
  queueOperations: { included: MILLION, unit: MILLION, price: 0.4 },
  emails: { included: 3_000, unit: 1_000, price: 0.35 },
} satisfies Record<string, Price>;

const sizes = [MILLION, 10 * MILLION, 100 * MILLION];

/** What sign-ups within a month cost, if the site stays as it is. */
export function growthTable(): Table {
  const row = (name: string, price: Price, amountOf: (people: number) => number) => [
    name,
    ...sizes.map((people) => formatCost(amountOf(people), price)),
  ];
  return {
    title: "What growth costs",
    head: ["sign-ups in 30 days", ...sizes.map(formatAmount)],
    rows: [
      ["a second", ...sizes.map((people) => (people / HOURS / 3_600).toFixed(1))],
      row("bytes in D1, emails kept", prices.storage, (people) => people * BYTES.sent),
      row("bytes in D1, emails deleted", prices.storage, (people) => people * BYTES.forgotten),
      row("rows written", prices.rowsWritten, (people) => people * (ROWS.written + VISITS)),
      row("rows written without visits", prices.rowsWritten, (people) => people * ROWS.written),
      row("rows read by the send limit", prices.rowsRead, (people) => (people * ROWS.readByClaim * people) / HOURS),
      row("requests", prices.requests, (people) => people * (VISITS + REQUESTS)),
      row("welcome emails through Cloudflare", prices.emails, (people) => people),
      row("visits as data points of Analytics Engine", prices.dataPoints, (people) => people * VISITS),
      row("Durable Object, a request for each email", prices.objectRequests, (people) => people),
      row("queue, a message for 100 emails", prices.queueOperations, (people) => (people / 100) * 3),
    ],
  };
}

/** `360 million, $310` */
function formatCost(amount: number, { included, unit, price }: Price): string {
  const dollars = (Math.max(0, amount - included) / unit) * price;
  const digits = dollars > 0 && dollars < 100 ? 2 : 0;
  const cost = dollars.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${formatAmount(amount)}, $${cost}`;
}

function formatAmount(amount: number): string {
  const format = (value: number, name: string) =>
    `${value.toLocaleString("en-GB", { maximumSignificantDigits: 3 })} ${name}`;
  return amount < 1_000 * MILLION ? format(amount / MILLION, "million") : format(amount / GB, "billion");
}
