import { groups } from "#app/features/settings/groups.ts";
import { inWords as rewardsInWords } from "#app/features/settings/rewards-page.server.tsx";
import { inWords, type SettingText, settingTexts } from "#app/features/settings/setting-texts.server.ts";
import { readRow, SETTINGS_PATH } from "#app/features/settings/settings.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { variables } from "#app/server/config/config.server.ts";
import { codeTexts, mergeSettings, type SettingName, type SiteSettings } from "#app/server/config/settings.server.ts";
import { referrals } from "#app/switches.ts";

export async function showSettings(c: OwnerContext) {
  const row = await readRow(c.var.app.db);
  const texts = settingTexts(c.env, row.stored);
  const { settings } = mergeSettings(c.env, row.stored);
  return c.render(
    <Page title="Settings" section="settings">
      <Outcome />
      {row.isBroken ? <Message kind="error">{BROKEN}</Message> : null}
      <div className="setting-groups">
        {groups.map(({ path, title, fields }) => (
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
            values={values(settings).map(([label, text]) => [label, text, texts[name]])}
          />
        ))}
        <InCode />
        <Variables texts={texts} />
      </div>
    </Page>,
  );
}

/** Settings with a page of their own. */
interface OwnPage {
  path: string;
  title: string;
  /** Of the setting whose origin is shown. */
  name: SettingName;
  values: (settings: SiteSettings) => [label: string, text: string][];
}

const ownPages: readonly OwnPage[] = [
  ...(referrals
    ? [
        {
          path: "rewards",
          title: "Rewards",
          name: "MILESTONES" as const,
          values: ({ milestones }: SiteSettings): [string, string][] => [
            ["For friends who join", milestones.length === 0 ? "None yet" : rewardsInWords(milestones)],
          ],
        },
      ]
    : []),
];

interface GroupProps {
  path: string;
  title: string;
  values: [label: string, text: string, origin: SettingText][];
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
              {text} <Origin {...origin} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const BROKEN =
  "The stored settings are damaged. Until a form is saved, the last versions of each group hold, or else the variables and app/site.ts.";

function Origin({ from, baseName }: SettingText) {
  const origin = { here: "Set here", variable: baseName, code: baseName, default: null }[from];
  return origin === null ? null : <small className="hint">{origin}</small>;
}

/** What is not changed on a page, and where it is. */
const inCode: [what: string, where: string][] = [
  ["Name, tagline, descriptions, what the two sides are called", "app/site.ts"],
  ["Parts of the landing page, and features", "app/switches.ts"],
  ["Colours of both schemes", "app/ui/theme.ts"],
  ["Texts of the landing page", "app/features/landing"],
  ["Privacy policy, cookie policy and terms", "app/features/legal"],
];

function InCode() {
  return (
    <Section id="code" title="In the code" className="panel setting-group">
      <p className="hint">Edit these files and deploy again. docs/make-it-yours.md has every step.</p>
      <dl className="bare-list settings">
        {inCode.map(([what, where]) => (
          <div key={where}>
            <dt>{what}</dt>
            <dd>
              <code>{where}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** What is deployed with the site. Secrets are not shown. */
function Variables({ texts }: { texts: Record<string, SettingText> }) {
  const others = Object.entries(variables).filter(([name, { onPage }]) => onPage !== true && !(name in codeTexts));
  return (
    <Section id="variables" title="Variables" className="panel setting-group">
      <p className="hint">These are set with npm run deploy, or at Cloudflare. docs/configuration.md explains them.</p>
      <details>
        <summary>{`Show ${others.length} variables`}</summary>
        <dl className="bare-list settings">
          {others.map(([name, { secret, unset }]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {secret && texts[name]?.text
                  ? "Set, not shown"
                  : texts[name]?.text || `Not set: ${unset ?? "required"}`}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </Section>
  );
}
