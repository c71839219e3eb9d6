import type { Letter } from "#app/email/letters/letters.server.ts";

/** Whether anyone can read the letter on the site. @param back the page to return to */
export function PublicChoice({ letter, back }: { letter: Letter; back: "send" | "progress" }) {
  const { id, state, is_public, has_web_link } = letter;
  const isStarted = state !== "draft" && state !== "scheduled";
  return (
    <section aria-labelledby="public">
      <h2 id="public">On the web</h2>
      <form className="letter-public" method="post" action={`/owner/letters/${id}`}>
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
        <button className="button button-quiet" name="intent" value={is_public ? "unpublish" : "publish"} type="submit">
          {is_public ? "Make it private" : "Make it public"}
        </button>
      </form>
    </section>
  );
}
