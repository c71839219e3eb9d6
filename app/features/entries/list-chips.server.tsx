import { firstPage, type ListState, withListState } from "#app/features/entries/list-state.ts";
import { isSameView, type SavedView, viewHref } from "#app/features/entries/views/saved-view.ts";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import { answerGroups } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntryFilter } from "#app/waitlist/filter/filters.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { mainQuestion } from "#app/waitlist/questions/questions.server.ts";

interface Chip {
  text: string;
  filter: EntryFilter;
  /** The parameter by which it filters. */
  name?: string;
}

function chipsOf(filter: EntryFilter, hasUnconfirmed: boolean): Chip[] {
  const rest = withoutChip(filter);
  const { status: _, confirmation: __, ...others } = rest;
  return [
    { text: "All", filter: rest },
    ...answerChips(rest),
    ...(hasUnconfirmed
      ? [{ text: "Unconfirmed", filter: { ...others, status: "unconfirmed" as const }, name: "status" }]
      : []),
    { text: "Invited", filter: { ...rest, invited: true }, name: "invited" },
    { text: "Not invited", filter: { ...rest, invited: false }, name: "invited" },
  ];
}

function answerChips(rest: EntryFilter): Chip[] {
  const question = mainQuestion();
  if (question?.answers === undefined) return [];
  const { key, answers } = question;
  const groups = (Object.hasOwn(answerGroups, key) ? answerGroups[key] : undefined) ?? {};
  return Object.keys(answers).map((answer) => ({
    text: wordFor({ ...answers, ...groups }, answer),
    filter: { ...rest, answers: { ...rest.answers, [key]: answer } },
    name: answerField({ key }),
  }));
}

function withoutChip({ invited: _, status, answers = {}, ...rest }: EntryFilter): EntryFilter {
  const others = Object.entries(answers).filter(([key]) => key !== mainQuestion()?.key);
  return {
    ...rest,
    ...(status === "unconfirmed" || status === undefined ? {} : { status }),
    ...(others.length === 0 ? {} : { answers: Object.fromEntries(others) }),
  };
}

function isSame(one: EntryFilter, other: EntryFilter): boolean {
  return writeEntryFilter(one).toString() === writeEntryFilter(other).toString();
}

/** The filter that the current chip stands for, by its parameter; undefined if there is none. */
export function chipFilter(filter: EntryFilter): string | undefined {
  return chipsOf(filter, true).find((chip) => isSame(chip.filter, filter))?.name;
}

interface ListChipsProps {
  state: ListState;
  views: SavedView[];
  hasUnconfirmed: boolean;
}

/** Links to parts of the list, and to saved views. Parts keep the search, the order and the other filters. */
export function ListChips({ state, views, hasUnconfirmed }: ListChipsProps) {
  const start = firstPage(state);
  const currentView = state.searchKey === undefined ? views.find((view) => isSameView(view, state)) : undefined;
  const links = [
    ...chipsOf(state.filter, hasUnconfirmed).map(({ text, filter }) => ({
      text,
      href: withListState("/owner/entries", { ...start, filter }),
      isCurrent: currentView === undefined && isSame(filter, state.filter),
    })),
    ...views.map((view) => ({
      text: view.name,
      href: viewHref(view),
      isCurrent: view === currentView,
    })),
  ];
  return <Pills label="Parts of the list" className="spaced list-groups" links={links} />;
}
