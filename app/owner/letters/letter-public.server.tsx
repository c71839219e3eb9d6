import type { Letter } from "#app/email/letters/letters.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";

/** Whether anyone can read the letter on the site. @param back the page to return to */
export function PublicChoice({ letter, back }: { letter: Letter; back: "send" | "progress" }) {
  const { id, state, is_public, has_web_link } = letter;
  const isStarted = state !== "draft" && state !== "scheduled";
  return (
    <Section id="public" title="On the web">
      <form method="post" action={`/owner/letters/${id}`}>
        <input type="hidden" name="back" value={back} />
        <p>
          {is_public ? (
            <>
              Public: anyone can read it at <a href={`/letters/${id}`}>{`/letters/${id}`}</a>
              {isStarted ? "." : ", once it is being sent. Its emails link to that page."}
            </>
          ) : (
            `Private: only those who are sent it can read it. If you make it public, anyone can read it at /letters${isStarted ? "." : ", and its emails link to that page."}`
          )}
          {isStarted && is_public && !has_web_link ? " Its emails do not link to that page." : ""}
          {isStarted && !is_public && has_web_link ? " The link in its emails leads nowhere." : ""}
        </p>
        <Button
          label={is_public ? "Make it private" : "Make it public"}
          kind="quiet"
          value={is_public ? "unpublish" : "publish"}
        />
      </form>
    </Section>
  );
}
