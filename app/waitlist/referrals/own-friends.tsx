import type { ReactNode } from "react";
import type { Milestone } from "#app/site.ts";
import { OwnLink } from "#app/waitlist/referrals/own-link.tsx";

/** What a person may know of the friends who came through their link: numbers, and no one's name. */
export interface OwnFriends {
  /** The code of their link. */
  via: string;
  joined: number;
  counted: number;
  /** The next milestone; null if there is none left. */
  next: Milestone | null;
  /** The milestones that they have reached. */
  reached: readonly Milestone[];
  /** Whether friends have to confirm their address. */
  mustConfirm: boolean;
}

/** How many friends someone has brought, and how to bring more. */
export function OwnFriendsSection({ friends, share }: { friends: OwnFriends; share: ReactNode }) {
  const { via, next, reached, mustConfirm } = friends;
  return (
    <section className="your-entry-friends" aria-labelledby="friends">
      <h2 id="friends">Bring your friends</h2>
      <p>{numbers(friends)}</p>
      {reached.map(({ friends: number, reward }) => (
        <p key={number}>
          <strong>{`You have brought ${number} friends: you get ${reward}.`}</strong>
        </p>
      ))}
      {next === null ? null : <p>{`Once ${next.friends} friends count, you get ${next.reward}.`}</p>}
      {share}
      <OwnLink via={via} />
      <details>
        <summary>Which friends count</summary>
        <ul>
          <li>
            {mustConfirm
              ? "A friend counts once they have confirmed their address."
              : "A friend counts a day after joining, if they are still on the waitlist and our email has reached them."}
          </li>
          <li>
            Each person counts once: new to the waitlist, with an address that is not yours and not a throwaway one.
          </li>
          <li>If many friends have addresses at one private domain, we look at them ourselves first.</li>
          <li>What you have reached stays yours, even if a friend leaves later.</li>
          <li>You see only numbers. We never tell you who has joined, and we never write to your friends for you.</li>
        </ul>
      </details>
    </section>
  );
}

function numbers({ joined, counted }: OwnFriends): string {
  if (joined === 0) return "No one has joined through your link yet.";
  const people = joined === 1 ? "One person has" : `${joined} people have`;
  return `${people} joined through your link. ${counted === joined ? (joined === 1 ? "They count." : "All of them count.") : `${counted === 0 ? "None" : counted} of them ${counted === 1 ? "counts" : "count"} so far.`}`;
}
