import type { ReactElement } from "react";

/** What hangs and stands on a stall. Its maker stands between the goods on the left and those on the right. */
export const goods = {
  pots: (
    <>
      <path fill="var(--leaf)" d="M-68-92c-14-4-15-18-11-28 9 6 13 14 11 24 2-14 8-20 18-22 1 12-5 22-16 26z" />
      <path className="clay" d="M-77-66c-8-13-3-20-1-28h20c2 8 7 15-1 28z" />
      <path fill="var(--cloth)" d="M-48-86h38c0 12-8 20-19 20s-19-8-19-20z" />
      <path className="green" d="M-4-66c-7-13-2-24 0-36h18c3 12 7 23 0 36z" />
      <path className="gold" d="M52-66l-6-9h32l-6 9z" />
      <path className="pen" d="M14-96c13-2 12 17 2 19M-80-94h24M-46-86h34M-44-79h30M-5-87h20M45-75h34" />
    </>
  ),
  scarves: (
    <>
      <path className="clay" d="M-64-134h24v50l-6-4-6 5-6-5-6 4z" />
      <path className="green" d="M-30-134h24v40l-6-4-6 5-6-5-6 4z" />
      <path fill="var(--cloth)" d="M4-134h20v34l-5-4-5 5-5-5-5 4z" />
      <path className="pen" d="M-76-132H76M-62-104h20M-62-98h20M-28-112h20M6-116h16" />
      <path className="gold" d="M-72-66v-11h34v11zM-34-66v-11h34v11z" />
      <path className="clay" d="M-32-78v-10h28v10z" />
      <path className="pen soft" d="M-72-77h34M-34-77H0" />
    </>
  ),
  prints: (
    <>
      <path fill="var(--wood)" d="M-64-130h44v36h-44zM-8-132h30v40H-8z" />
      <path fill="var(--cloth)" d="M-60-126h36v28h-36zM-4-128h22v32H-4z" />
      <path fill="var(--leaf)" d="M-60-98c6-12 12-14 18-6 6-10 12-8 18 2v4z" />
      <circle className="clay" cx="7" cy="-114" r="7" />
      <path className="clay" d="M54-66v-24h8v24zM66-66v-34h8v34z" />
      <path fill="var(--cloth)" d="M-66-66l4-18h40l4 18z" />
      <path className="pen" d="M-60-78h36M-62-72h40M58-90v-6M70-100v-6" />
    </>
  ),
  flowers: (
    <>
      <path
        fill="var(--leaf)"
        d="M-74-84q-10-18 2-32 10-12 22-2 14 12 4 34zM-38-84q-12-18-2-34 8-12 20-6 16 8 10 40zM-6-82q-8-14 0-24 8-8 14 0 8 8 2 24z"
      />
      <path className="clay" d="M-79-66l-3-20h36l-3 20z" />
      <path fill="var(--cloth)" d="M-42-66l-2-20h34l-2 20z" />
      <path className="green" d="M-6-66l-2-17h22l-2 17z" />
      <path className="bloom gold" d="M-73-104h0M-54-111h0M-62-96h0M-37-96h0M-30-97h0M-5-98h0M8-92h0" />
      <path className="bloom clay" d="M-64-114h0M-74-92h0M-52-98h0M-12-112h0M-22-112h0M3-106h0" />
      <path className="bloom cloth" d="M-39-111h0M-28-106h0M-14-98h0" />
      <path className="pen soft" d="M-81-82h34M-43-82h32" />
    </>
  ),
  bread: (
    <>
      <path fill="var(--wood)" d="M-76-66l-4-14h42l-4 14zM-4-66l-3-12h32l-3 12z" />
      <path
        className="gold"
        d="M-78-78c0-16 18-18 20-6 4-10 18-8 18 6zM-34-66c-2-20 28-20 26 0zM-6-77c4-12 26-12 30 0z"
      />
      <path className="gold" d="M56-66 64-112q6-4 8 2l-4 44z" />
      <path className="clay" d="M68-66 74-104q6-2 6 4l-4 34z" />
      <path className="pen" d="M-72-84l5 4M-52-86l5 4M-29-76l6 4M-20-78l6 4M4-82l4 4M13-83l4 4M64-98l6 2M63-86l6 2" />
    </>
  ),
  jewellery: (
    <>
      <path
        fill="var(--slate)"
        d="M-72-66c0-14 4-16 8-20v-12h12v12c4 4 8 6 8 20zM-34-66c0-10 3-12 7-16v-10h9v10c4 4 7 6 7 16z"
      />
      <path className="pen gold line" d="M-68-78q10 20 20 0M-31-76q8 15 16 0" />
      <path fill="var(--cloth)" d="M-2-66l4-14h22l2 14z" />
      <path className="pen clay line" d="M5-74a3 3 0 1 0 .1 0M15-74a3 3 0 1 0 .1 0" />
      <path className="clay" d="M58-66v-26h18v26z" />
      <path className="pen gold line" d="M63-86v8M71-86v8" />
    </>
  ),
} satisfies Record<string, ReactElement>;

export type Goods = keyof typeof goods;
