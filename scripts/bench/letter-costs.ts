import { estimateDuration } from "#app/email/letters/sending-limits.ts";
import type { Table } from "#scripts/bench/outcome.ts";

/** A plan of the email provider, with its list price a month (US dollars). */
interface Plan {
  name: string;
  emails: number;
  price: number;
  /** For each further 1,000 emails; null if it sends no more. */
  overage: number | null;
}

/** https://resend.com/pricing, read in November 2026. */
const plans: Plan[] = [
  { name: "Free", emails: 3_000, price: 0, overage: null },
  { name: "Pro, 50,000 emails", emails: 50_000, price: 20, overage: 0.9 },
  { name: "Scale, 100,000 emails", emails: 100_000, price: 90, overage: 0.9 },
  { name: "Scale, 1,000,000 emails", emails: 1_000_000, price: 650, overage: 0.65 },
];

/** Rows written for each recipient (`npm run bench -- --only letters`), and D1's price for a million (US dollars). */
const ROWS = 4;
const ROW_PRICE = 1;

const sizes = [10_000, 100_000, 1_000_000];

/** How long a letter takes and what it costs. `MAIL_PER_HOUR` is high enough not to slow it down. */
export function costTable(): Table {
  return {
    title: "What a letter costs",
    head: ["recipients", "takes, at 5 requests a second", "rows written by D1", ...plans.map(({ name }) => name)],
    rows: sizes.map((recipients) => [
      formatCount(recipients),
      formatDuration(estimateDuration(recipients, { perHour: Number.MAX_SAFE_INTEGER })),
      `${formatCount(recipients * ROWS)} ($${((recipients * ROWS * ROW_PRICE) / 1_000_000).toFixed(2)} beyond those included)`,
      ...plans.map((plan) => formatPrice(plan, recipients)),
    ]),
  };
}

function formatPrice({ emails, price, overage }: Plan, recipients: number): string {
  if (recipients <= emails) return `$${price}`;
  if (overage === null) return "not possible";
  return `$${(price + Math.ceil((recipients - emails) / 1_000) * overage).toLocaleString("en-GB")}`;
}

function formatCount(count: number): string {
  return count.toLocaleString("en-GB");
}

function formatDuration(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  return minutes < 90 ? `${minutes} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}
