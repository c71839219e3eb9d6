import type { Milestone } from "#app/site.ts";
import * as switches from "#app/switches.ts";

/** What a person may know of the friends who came through their link: numbers, and no one's name. */
export interface OwnFriends {
  joined: number;
  counted: number;
  /** The next milestone; null if there is none left. */
  next: Milestone | null;
  reached: readonly Milestone[];
  mustConfirm: boolean;
}

export function OwnFriendsSection({ friends }: { friends: OwnFriends }) {
  const { next, reached, mustConfirm } = friends;
  if (!switches.referrals) return null;
  return (
    <section className="your-entry-friends" aria-labelledby="friends">
      <h2 id="friends">Friends you’ve invited</h2>
      <p>{numbers(friends)}</p>
      {reached.map(({ friends: number, reward }) => (
        <p key={number}>
          <strong>{`You’ve brought ${count(number)}, so you get ${reward}.`}</strong>
        </p>
      ))}
      {next === null ? null : (
        <p>{`Once ${count(next.friends)} ${next.friends === 1 ? "counts" : "count"}, you get ${next.reward}. We’ll email you then.`}</p>
      )}
      <details>
        <summary>Which friends count</summary>
        <ul>
          <li>
            {mustConfirm
              ? "A friend counts once they confirm their address."
              : "A friend counts a day after joining, unless they have left by then."}
          </li>
          <li>
            They must be new to the waitlist, with an address of their own that isn’t a throwaway one. Each person
            counts once.
          </li>
          <li>
            If several people use the same private domain, such as a company’s, we check the later ones ourselves.
          </li>
          <li>If a friend leaves later, they still count, and you keep any reward you’ve earned.</li>
          <li>You see only numbers. We never tell you who joined, and we never write to your friends for you.</li>
        </ul>
      </details>
    </section>
  );
}

function count(friends: number): string {
  return friends === 1 ? "1 friend" : `${friends} friends`;
}

function numbers({ joined, counted }: OwnFriends): string {
  if (joined === 0) return "No one has joined through your link yet.";
  if (joined === 1)
    return `One person has joined through your link. They ${counted === 1 ? "count" : "don’t count yet"}.`;
  const who = counted === joined ? "All" : counted === 0 ? "None" : counted;
  const so = counted === joined ? "" : " so far";
  return `${joined} people have joined through your link. ${who} of them ${counted === 1 ? "counts" : "count"}${so}.`;
}
