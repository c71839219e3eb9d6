import * as v from "valibot";
import { type Config, type ConfigProblem, parseConfig, variables } from "#app/server/config/config.server.ts";
import * as values from "#app/server/config/config-values.server.ts";
import { milestoneProblems, questionProblems } from "#app/server/config/question-rules.ts";
import {
  everyQuestion,
  type StoredQuestion,
  splitQuestions,
  storedQuestion,
} from "#app/server/config/stored-questions.server.ts";
import { perEnv } from "#app/server/per-env.ts";
import { readPicturePath } from "#app/server/pictures/picture-address.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import * as code from "#app/site.ts";

/*
 * What owners can change on the page for settings. A value comes from there, or else from its variable, or else from
 * app/site.ts. All are texts by name, checked alike wherever they come from.
 */

/** What app/site.ts says, unless an owner has changed it. */
export interface SiteSettings {
  /** See app/site.ts. */
  launchDate: string | null;
  launchSentence: string | null;
  founder: code.Founder | null;
  questions: readonly code.Question[];
  /**
   * Questions that are no longer asked, and answers that are no longer offered, under the key of their question. Forms that were
   * loaded before may still send them.
   */
  retiredQuestions: readonly code.Question[];
  milestones: readonly code.Milestone[];
  /** Rewards that are no longer offered. Those who have reached one keep it. */
  retiredMilestones: readonly code.Milestone[];
  /** The addresses that the page has removed from the owners. */
  formerOwners: readonly string[];
  notificationsOff: readonly NotificationOff[];
}

export const settingsOfCode: SiteSettings = {
  launchDate: code.launchDate,
  launchSentence: code.launchSentence,
  founder: code.founder,
  questions: code.questions,
  retiredQuestions: [],
  milestones: code.milestones,
  retiredMilestones: [],
  formerOwners: [],
  notificationsOff: [],
};

/** Longer texts do not fit where they are shown. */
const MAX_LENGTH = { sentence: 200, name: 80, note: 400 } as const;

const shortText = (most: number) => v.pipe(values.text, v.maxLength(most, `must have at most ${most} characters`));

const date = v.pipe(
  values.text,
  v.check((value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value), "must be a day such as 2027-05-31"),
);

function isDay(value: string): boolean {
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** A list as JSON that breaks no rule. `problems` are sentences. */
function jsonList<Item extends v.GenericSchema>(item: Item, problems: (list: v.InferOutput<Item>[]) => string[]) {
  return v.pipe(
    v.string(),
    v.transform(parseJson),
    v.array(item),
    v.check(
      (list) => problems(list).length === 0,
      ({ input }) => problems(input).join(" "),
    ),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const milestone = v.object({
  friends: v.number(),
  reward: v.string(),
  retired: v.exactOptional(v.literal(true)),
});

/** Which notifications an owner has switched off: `digest` and the owner's id, with a colon between. */
export type NotificationOff = `${"digest" | "alert"}:${string}`;

const notificationsOff = v.pipe(
  values.text,
  v.transform((value) => value.split(",")),
  v.array(
    v.custom<NotificationOff>(
      (value) => /^(digest|alert):[0-9a-f]{16}$/.test(String(value)),
      "must be kinds and ids of owners",
    ),
  ),
);

/** Settings that are no variables. */
const ownSchemas = {
  LAUNCH_DATE: date,
  LAUNCH_SENTENCE: shortText(MAX_LENGTH.sentence),
  FOUNDER_NAME: shortText(MAX_LENGTH.name),
  FOUNDER_NOTE: shortText(MAX_LENGTH.note),
  /** The path of an uploaded picture, or of the file that app/site.ts names. */
  FOUNDER_PHOTO: v.pipe(
    values.text,
    v.check((path) => path === code.founder?.photo || readPicturePath(path) !== null, "must be an uploaded picture"),
  ),
  /** The retired ones stand among the others. */
  QUESTIONS: jsonList(storedQuestion, (all) =>
    questionProblems(
      all.filter(({ retired }) => !retired),
      all,
    ),
  ),
  /** Those that the page had asked before, while the questions of app/site.ts hold. */
  FORMER_QUESTIONS: jsonList(storedQuestion, () => []),
  MILESTONES: jsonList(milestone, milestoneProblems),
  /** Besides, and without, those in `OWNER_EMAIL`. */
  OWNERS_ADDED: values.ownerAddresses,
  OWNERS_REMOVED: values.ownerAddresses,
  NOTIFICATIONS_OFF: notificationsOff,
} as const;

type OwnName = keyof typeof ownSchemas;

export type SettingName = OwnName | keyof Config;

/** What app/site.ts has, as texts. @public for settings, which can be removed */
export const codeTexts: Readonly<Record<OwnName, string>> = {
  LAUNCH_DATE: code.launchDate ?? "",
  LAUNCH_SENTENCE: code.launchSentence ?? "",
  FOUNDER_NAME: code.founder?.name ?? "",
  FOUNDER_NOTE: code.founder?.note ?? "",
  FOUNDER_PHOTO: code.founder?.photo ?? "",
  QUESTIONS: JSON.stringify(code.questions),
  FORMER_QUESTIONS: "",
  MILESTONES: JSON.stringify(code.milestones),
  OWNERS_ADDED: "",
  OWNERS_REMOVED: "",
  NOTIFICATIONS_OFF: "",
};

/** By name. An empty text means that there is no such value, even if the variable has one. */
export type StoredSettings = Readonly<Partial<Record<SettingName, string>>>;

export function isOwnName(name: string): name is OwnName {
  return Object.hasOwn(ownSchemas, name);
}

export function isPageVariable(name: string): name is keyof Config {
  return Object.hasOwn(variables, name) && variables[name as keyof Config].onPage === true;
}

/** What is wrong with a value, to follow its name in a sentence: `must be …`. Null if it can be stored. */
export function settingProblem(name: string, text: string): string | null {
  const isRequired = isPageVariable(name) && variables[name].unset === undefined;
  if (text === "") return isRequired ? "is required" : null;
  if (!isOwnName(name) && !isPageVariable(name)) return "is no setting";
  const schema: v.GenericSchema = isOwnName(name) ? ownSchemas[name] : variables[name].schema;
  return v.safeParse(schema, text).issues?.[0].message ?? null;
}

/** Every question that is asked or was. A malformed value does not count. */
export function storedQuestions(stored: StoredSettings): StoredQuestion[] {
  const listOf = (name: "QUESTIONS" | "FORMER_QUESTIONS") => {
    const { success, output } = v.safeParse(ownSchemas[name], stored[name]);
    return success ? output : undefined;
  };
  return everyQuestion(code.questions, listOf("QUESTIONS"), listOf("FORMER_QUESTIONS"));
}

export interface EffectiveSettings {
  config: Config | null;
  /** Of variables and of stored values. */
  problems: ConfigProblem[];
  settings: SiteSettings;
}

/** @param stored values that are malformed are reported, and do not count */
export function mergeSettings(vars: object, stored: StoredSettings): EffectiveSettings {
  const checked = Object.entries(stored).map(([name, text]) => ({ name, text, problem: settingProblem(name, text) }));
  const usable = new Map(checked.flatMap(({ name, text, problem }) => (problem === null ? [[name, text]] : [])));
  const own = <Name extends OwnName>(name: Name) => {
    const text = usable.get(name);
    type Value = v.InferOutput<(typeof ownSchemas)[Name]>;
    return text === undefined || text === "" ? undefined : (v.parse(ownSchemas[name], text) as Value);
  };
  /** The text of a setting: null if there is to be none. */
  const textOf = (name: OwnName, ofCode: string | null) => {
    const text = usable.get(name);
    return text === undefined ? ofCode : text || null;
  };
  const added = own("OWNERS_ADDED") ?? [];
  const formerOwners = own("OWNERS_REMOVED") ?? [];
  const changed = Object.fromEntries([...usable].filter(([name]) => isPageVariable(name)));
  const { config, problems } = parseConfig({ ...vars, ...changed });
  const owners = effectiveOwners(config?.OWNER_EMAIL ?? [], added, formerOwners);
  const isOfCode = !usable.has("QUESTIONS") && !usable.has("FORMER_QUESTIONS");
  const milestones = own("MILESTONES");
  const founderName = textOf("FOUNDER_NAME", code.founder?.name ?? null);
  const founderNote = textOf("FOUNDER_NOTE", code.founder?.note ?? null);
  const founderPhoto = textOf("FOUNDER_PHOTO", code.founder?.photo ?? null);
  return {
    config: config && withOwners(config, owners),
    problems: [
      ...problems,
      ...(owners.length === 0 && formerOwners.length > 0 ? [NO_OWNER_LEFT] : []),
      ...checked.flatMap(({ name, problem }) => (problem === null ? [] : [{ name, problem, fatal: false }])),
    ],
    settings: {
      launchDate: textOf("LAUNCH_DATE", code.launchDate),
      launchSentence: textOf("LAUNCH_SENTENCE", code.launchSentence),
      founder:
        founderName === null || founderNote === null
          ? null
          : { name: founderName, note: founderNote, ...(founderPhoto === null ? {} : { photo: founderPhoto }) },
      ...(isOfCode ? { questions: code.questions, retiredQuestions: [] } : splitQuestions(storedQuestions(stored))),
      milestones: milestones?.filter(({ retired }) => !retired) ?? code.milestones,
      retiredMilestones: milestones?.filter(({ retired }) => retired) ?? [],
      formerOwners,
      notificationsOff: own("NOTIFICATIONS_OFF") ?? [],
    },
  };
}

/**
 * Owners who were removed on the page stay out, even if no one is left: a new address in `OWNER_EMAIL`, or
 * `npm run owner -- sign-in --restore`, lets someone in.
 *
 * @param ofVariable the addresses in `OWNER_EMAIL`
 */
function effectiveOwners(ofVariable: readonly string[], added: readonly string[], removed: readonly string[]) {
  return [...new Set([...ofVariable, ...added])].filter((email) => !removed.includes(email));
}

/** The same for a value of the variable and what is stored. Malformed values have no addresses. */
export function ownersWith(variable: string | undefined, stored: StoredSettings): string[] {
  const [ofVariable = [], added = [], removed = []] = [variable, stored.OWNERS_ADDED, stored.OWNERS_REMOVED].map(
    values.readOwnerAddresses,
  );
  return effectiveOwners(ofVariable, added, removed);
}

const NO_OWNER_LEFT: ConfigProblem = {
  name: "OWNER_EMAIL",
  problem: "has only addresses that were removed on the page for settings, so no one can sign in",
  fatal: false,
};

function withOwners({ OWNER_EMAIL: _, ...config }: Config, owners: string[]): Config {
  return owners.length === 0 ? config : { ...config, OWNER_EMAIL: owners };
}

let current = settingsOfCode;

/** What holds in this isolate, which is one site's. It may change between two calls. */
export function siteSettings(): SiteSettings {
  return current;
}

/** Called when a request or a run begins. Without a call, app/site.ts holds. */
export function setSiteSettings(settings: SiteSettings): void {
  current = settings;
}

/** The rewards that are offered, and those that were: people who have reached one keep it. */
export function everyMilestone(): readonly code.Milestone[] {
  return [...current.milestones, ...current.retiredMilestones];
}

/** Wraps `create`, which makes something of the settings, so that it runs once for as long as they stay the same. */
export function perSettings<Value>(create: (settings: SiteSettings) => Value): () => Value {
  const made = perEnv(create);
  return () => made(current);
}

/** The sentence that says when the launch is; null once its last day is over. */
export function currentLaunchSentence(now: EpochMillis): string | null {
  const { launchDate, launchSentence } = current;
  return launchDate !== null && launchDate < utcDay(now) ? null : launchSentence;
}
