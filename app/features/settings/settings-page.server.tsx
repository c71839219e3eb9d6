import { groups } from "#app/features/settings/groups.ts";
import { wordingWithAnswers } from "#app/features/settings/questions/questions-page.server.tsx";
import { inWords as rewardsInWords } from "#app/features/settings/rewards-page.server.tsx";
import { inWords, type SettingText, settingTexts } from "#app/features/settings/setting-texts.server.ts";
import { readRow, SETTINGS_PATH } from "#app/features/settings/settings.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { variables } from "#app/server/config/config.server.ts";
import { type EffectiveSettings, mergeSettings, type SettingName } from "#app/server/config/settings.server.ts";
import { referrals } from "#app/switches.ts";

export async function showSettings(c: OwnerContext) {
  const row = await readRow(c.var.app.db);
  const texts = settingTexts(c.env, row.stored);
  const effective = mergeSettings(c.env, row.stored);
  return c.render(
    <Page title="Settings" section="settings">
      <Outcome />
      {row.isBroken ? <Message kind="error">{BROKEN}</Message> : null}
      <div className="setting-groups">
        {Object.values(groups).map(({ path, title, fields }) => (
          <Group
            key={path}
            path={path}
            title={title}
            values={fields.map((field) => [field.label, inWords(field, texts[field.name].text), texts[field.name]])}
          />
        ))}
        {ownPages.map(({ path, title, name, values }) => (
          <Group
            key={path}
            path={path}
            title={title}
            values={values(effective).map(([label, text]) => [label, text, name === null ? null : texts[name]])}
          />
        ))}
        <InCode />
        <Deployed texts={texts} />
      </div>
    </Page>,
  );
}

/** Settings with a page of their own. */
interface OwnPage {
  path: string;
  title: string;
  /** Of the setting whose origin is shown; null if its own page says it of each value. */
  name: SettingName | null;
  values: (effective: EffectiveSettings) => [label: string, text: string][];
}

const ownPages: readonly OwnPage[] = [
  {
    path: "questions",
    title: "Questions",
    name: "QUESTIONS",
    values: ({ settings: { questions } }) =>
      questions.length === 0
        ? [["After joining", "Nothing is asked"]]
        : questions.map((question) => [question.label, wordingWithAnswers(question)]),
  },
  {
    path: "owners",
    title: "Owners",
    name: null,
    values: ({ config }) => [["Who can sign in", (config?.OWNER_EMAIL ?? []).join("\n")]],
  },
  {
    path: "notifications",
    title: "Notifications",
    name: null,
    values: ({ settings: { notificationsOff } }) => [
      ["Emails to owners", notificationsOff.length === 0 ? "All" : "Some are switched off"],
    ],
  },
  ...(referrals
    ? [
        {
          path: "rewards",
          title: "Rewards",
          name: "MILESTONES" as const,
          values: ({ settings: { milestones } }: EffectiveSettings): [string, string][] => [
            ["For friends who join", milestones.length === 0 ? "None yet" : rewardsInWords(milestones)],
          ],
        },
      ]
    : []),
];

interface GroupProps {
  path: string;
  title: string;
  values: [label: string, text: string, origin: SettingText | null][];
}

function Group({ path, title, values }: GroupProps) {
  return (
    <section className="panel setting-group" aria-labelledby={path}>
      <div className="row spread">
        <h2 id={path}>{title}</h2>
        <a className="button button-quiet" href={`${SETTINGS_PATH}/${path}`}>
          Change<span className="visually-hidden">{` ${title}`}</span>
        </a>
      </div>
      <dl className="bare-list settings">
        {values.map(([label, text, origin]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {text} {origin === null ? null : <Origin {...origin} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const BROKEN =
  "The stored settings are damaged. Until you save a form, the last version of each holds. Without one, values that can still be read hold, people are asked to confirm, and the rest is as the site was deployed.";

const origins = { here: "Set here", variable: "Deployed with the site", code: "In the code", default: null } as const;

function Origin({ from }: SettingText) {
  return origins[from] === null ? null : <small className="hint">{origins[from]}</small>;
}

/** What is not changed on a page, and where it is. */
const inCode: [what: string, where: string][] = [
  ["name, tagline, descriptions, and what the two sides are called", "app/site.ts"],
  ["parts of the landing page, and features", "app/switches.ts"],
  ["colours of both schemes", "app/ui/theme.ts"],
  ["texts of the landing page", "app/features/landing"],
  ["privacy policy, cookie policy and terms", "app/features/legal"],
];

function InCode() {
  return (
    <Section id="code" title="In the code" className="panel setting-group">
      <p>The name, the colours and the texts of the site, and which features it has, are part of its code.</p>
      {inCode.map(([what, where]) => (
        <Advanced key={where}>{`${what}: ${where}`}</Advanced>
      ))}
      <Advanced>after a change, deploy again; docs/make-it-yours.md has every step.</Advanced>
    </Section>
  );
}

/** What the site is deployed with and no page changes. Secrets are not shown. */
function Deployed({ texts }: { texts: Record<string, SettingText> }) {
  const others = Object.entries(variables).filter(([, { onPage }]) => onPage !== true);
  return (
    <Section id="deployed" title="Deployed with the site" className="panel setting-group">
      <p>Keys and addresses of other services, and the sender of emails. They are changed by deploying again.</p>
      <details>
        <summary className="button button-quiet">{`Show all ${others.length}`}</summary>
        {others.map(([name, { secret, unset = "required" }]) => {
          const text = texts[name]?.text ?? "";
          const shown = secret && text !== "" ? "set, not shown" : text;
          return <Advanced key={name}>{`${name}: ${shown || `not set (${unset})`}`}</Advanced>;
        })}
        <Advanced>docs/configuration.md explains each of them.</Advanced>
      </details>
    </Section>
  );
}
