import * as v from "valibot";
import { member, nextCursor } from "#app/features/api/v1/schemas/common.server.ts";

const letter = {
  id: v.pipe(v.number(), v.integer()),
  subject: member.text("Its subject."),
  state: v.pipe(
    v.picklist(["draft", "scheduled", "sending", "paused", "stopped", "finished"]),
    v.description("`stopped` and `finished` letters are never sent again."),
  ),
  is_invitation: member.yesOrNo("Whether it invites people to the product."),
  url: member.textOrNull("Its page, if anyone may read it."),
  created_at: member.time("In UTC."),
  scheduled_for: member.timeOrNull("When it starts by itself."),
  started_at: member.timeOrNull("When it was started."),
  finished_at: member.timeOrNull("When it was sent to everyone."),
};

const effects = {
  bounced: member.count("Permanent bounces."),
  bounced_softly: member.count("Temporary bounces."),
  complained: member.count("People who reported it as spam."),
  unsubscribed: member.count("People who left because of it."),
};

export const letterSchema = v.object({
  ...letter,
  stats: v.nullable(
    v.object({
      expected: member.count("How many people the owner chose to send it to."),
      pending: member.count("People it has not been sent to yet."),
      sent: member.count("Emails that the provider accepted."),
      skipped: member.count("People who were not sent it, such as those who unsubscribed first."),
      failed: member.count("Emails that the provider refused."),
      unknown: member.count("Emails that may or may not have been sent."),
      ...effects,
      days: v.array(
        v.object({ date: member.day("In the owner’s time zone."), sent: member.count("Emails sent."), ...effects }),
      ),
    }),
  ),
});

export const letterListSchema = v.object({ letters: v.array(v.object(letter)), next_cursor: nextCursor });
