import { data } from "react-router";
import type { AppContext } from "#app/server/context.ts";
import { type Campaign, campaignFromSearch, referrerHost } from "#app/waitlist/entries/campaign.ts";
import { EMBED_SOURCE, toSource } from "#app/waitlist/entries/sources.ts";
import { ANSWER_TOKEN_FIELD } from "#app/waitlist/questions/answers.ts";
import { statedVersion, WORDING_FIELD } from "#app/waitlist/sign-up/consent-wording.ts";
import { type FormResult, handleAnswersForm, handleSignUpForm } from "#app/waitlist/sign-up/form-action.server.ts";

export interface EmbedResult extends FormResult {
  /** Where the visitor came from, to be sent again with a corrected address. */
  campaign: Campaign;
}

const UNSEEN_WORDING = "That form may not show what we promise. Please read it here, then join.";

/**
 * Handles a form that was sent from another site, or from the page that responded to it. Nobody joins unless the form names
 * a version of the consent wording: the one that it was copied with.
 *
 * @param url with the campaign parameters
 * @param referrer the `Referer` header, which names the other site
 * @returns the action's data, and the id of the email that the route sends now, if any
 */
export async function handleEmbeddedForm(context: AppContext, form: FormData, url: URL, referrer: string) {
  const source = toSource(fieldOf(form, "source")) ?? EMBED_SOURCE;
  form.set("source", source);
  const campaign = campaignOf(form, url, referrer);
  const show = ({ data: result, init }: { data: FormResult; init: ResponseInit | null }) =>
    data<EmbedResult>({ ...result, source, campaign }, init ?? undefined);
  if (form.has(ANSWER_TOKEN_FIELD)) return { response: show(await handleAnswersForm(context, form)), emailId: null };
  const email = fieldOf(form, "email");
  if (statedVersion(fieldOf(form, WORDING_FIELD)) === undefined) {
    const result: FormResult = { source, status: "error", message: UNSEEN_WORDING, email };
    return { response: show(data(result, { status: 409 })), emailId: null };
  }
  for (const [name, value] of Object.entries(campaign)) form.set(name, value);
  const { response, emailId } = await handleSignUpForm(context, form, url);
  return { response: show(response), emailId };
}

/** Hidden fields of the form, then parameters of the URL that it names, then the site that it is on. */
function campaignOf(form: FormData, url: URL, referrer: string): Campaign {
  const fields = Array.from(form).filter((field): field is [string, string] => typeof field[1] === "string");
  const host = referrerHost(referrer, url.host);
  return {
    ...(host === undefined ? {} : { referrer_host: host }),
    ...campaignFromSearch(url.searchParams),
    ...campaignFromSearch(new URLSearchParams(fields)),
  };
}

function fieldOf(form: FormData, name: string): string {
  const value = form.getAll(name).at(-1);
  return typeof value === "string" ? value : "";
}
