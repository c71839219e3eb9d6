import * as v from "valibot";
import {
  count,
  day,
  nextCursor,
  text,
  textOrNull,
  time,
  timeOrNull,
  yesOrNo,
} from "#app/features/api/v1/schemas/common.server.ts";

const letter = {
  id: v.pipe(v.number(), v.integer()),
  subject: text("Its subject."),
  state: v.pipe(
    v.picklist(["draft", "scheduled", "sending", "paused", "stopped", "finished"]),
    v.description("`stopped` and `finished` letters are never sent again."),
  ),
  is_invitation: yesOrNo("Whether it invites people to the product."),
  url: textOrNull("Its page, if anyone may read it."),
  created_at: time("In UTC."),
  scheduled_for: timeOrNull("When it starts by itself."),
  started_at: timeOrNull("When it was started."),
  finished_at: timeOrNull("When it was sent to everyone."),
};

const effects = {
  bounced: count("Permanent bounces."),
  bounced_softly: count("Temporary bounces."),
  complained: count("People who reported it as spam."),
  unsubscribed: count("People who left because of it."),
};

export const letterSchema = v.object({
  ...letter,
  stats: v.nullable(
    v.object({
      expected: count("How many people the owner chose to send it to."),
      pending: count("People it has not been sent to yet."),
      sent: count("Emails that the provider accepted."),
      skipped: count("People who were not sent it, such as those who unsubscribed first."),
      failed: count("Emails that the provider refused."),
      unknown: count("Emails that may or may not have been sent."),
      ...effects,
      days: v.array(v.object({ date: day("In the owner’s time zone."), sent: count("Emails sent."), ...effects })),
    }),
  ),
});

export const letterListSchema = v.object({ letters: v.array(v.object(letter)), next_cursor: nextCursor });
