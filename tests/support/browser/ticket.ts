import type { Locator, Page } from "@playwright/test";
import { britishDate } from "#app/server/time/british-date.ts";
import { answerGroups, site } from "#app/site.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

export const JOINED = "Thanks for joining! Please check your email.";

/** The fringe hangs 12 px below the header (CSS pixels). */
export const HEADER_WITH_FRINGE = 72;

/** The first question that has sides, with the answer of one of them in words, as a ticket has it. */
export const [sided] = choiceQuestions.flatMap((question) => {
  const [side] = Object.keys(answerGroups[question.key] ?? {}).filter((key) => key in (question.answers ?? {}));
  return side === undefined ? [] : [{ wording: question.wording, words: question.answers?.[side] ?? "" }];
});

/** What a ticket says of someone who has joined today, before and after that answer. */
export function holderLine(role?: string): string {
  const pioneer = `${site.pioneer.one.replace(/^an? /, "")} since ${britishDate(Date.now()).text}`;
  return role === undefined ? pioneer : `${role}, ${pioneer}`;
}

/** The line of a ticket with its role and date. */
export const holderOn = (page: Page): Locator => ticketOn(page).locator(".ticket-holder");

/** The ticket of someone who has joined. */
export function ticketOn(page: Page): Locator {
  return page.getByRole("region", { name: `You’re ${site.pioneer.one}` });
}
