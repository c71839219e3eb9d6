import { sendEmailLater } from "#app/email/sender.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { ANSWER_TOKEN_FIELD } from "#app/waitlist/questions/answers.ts";
import { handleAnswersForm, handleSignUpForm } from "#app/waitlist/sign-up/form-action.server.ts";

/**
 * The action of a page with the sign-up form: stores answers to the questions after joining, or signs up and sends the
 * email after the response.
 *
 * @param url the page's URL, with the campaign parameters
 */
export async function handlePageForm(app: AppContext, form: FormData, url: URL) {
  if (form.has(ANSWER_TOKEN_FIELD)) return handleAnswersForm(app, form);
  const { response, emailId } = await handleSignUpForm(app, form, url);
  if (emailId !== null) sendEmailLater(app, { id: emailId });
  return response;
}
