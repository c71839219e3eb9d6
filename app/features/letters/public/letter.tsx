import { createElement as element, Fragment, type ReactNode, use } from "react";
import { type ActionFunctionArgs, data, type HeadersArgs, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { type Block, type Components, renderBlocks, textOf } from "#app/email/blocks/blocks.ts";
import { FeedLink } from "#app/features/letters/public/feed-link.tsx";
import { lettersPage } from "#app/features/letters/public/page.ts";
import {
  findPublicBody,
  findPublicLetter,
  type ListedLetter,
} from "#app/features/letters/public/public-letters.server.ts";
import { handlePageForm } from "#app/layout/form-action.server.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { appContext, articleContext } from "#app/server/context.ts";
import { readForm } from "#app/server/http/read-form.server.ts";
import { site } from "#app/site.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { useRootData } from "#app/ui/root-data.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { LETTER_SOURCE } from "#app/waitlist/entries/sources.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";
import { SignUpForm } from "#app/waitlist/sign-up/sign-up-form.tsx";
import { ShareContext } from "#app/waitlist/sign-up/ticket/share-context.ts";

export const handle = { page: lettersPage };

export async function loader({ context, params }: LoaderFunctionArgs) {
  const app = context.get(appContext);
  const [letter, hasFollowUps] = await Promise.all([
    findPublicLetter(app.db, params["id"] ?? "", app.config.SITE_URL),
    readHasFollowUps(app),
  ]);
  if (letter === null) throw data(null, { status: 404 });
  const { path, subject: headline, sentAt: published } = letter;
  context.set(articleContext, { path, headline, description: describe(letter), published });
  const { name, photo } = siteSettings().founder ?? {};
  const isSigned = lastParagraph(letter.blocks).includes(name ?? site.name);
  return { ...letter, writer: { name, photo, isSigned }, hasFollowUps };
}

/** The form below the letter, without JavaScript. */
export async function action({ context, params, request, url }: ActionFunctionArgs) {
  const app = context.get(appContext);
  if ((await findPublicBody(app.db, params["id"] ?? "")) === null) throw data(null, { status: 404 });
  return handlePageForm(app, await readForm(request), url);
}

export function headers({ actionHeaders }: HeadersArgs) {
  return actionHeaders;
}

function describe({ previewLine, date }: Pick<ListedLetter, "previewLine" | "date">): string {
  return previewLine || `A letter that ${site.name} sent to the people on its waitlist on ${date.text}.`;
}

function lastParagraph(blocks: Block[]): string {
  const last = blocks.findLast((block) => block.type === "paragraph");
  return textOf(last?.children ?? []);
}

export default function PublicLetterPage() {
  const letter = useLoaderData<typeof loader>();
  const { path, subject, date, sentAt, blocks, writer, hasFollowUps } = letter;
  const isLaunched = useRootData()?.launch !== undefined;
  const Share = use(ShareContext);
  const description = describe(letter);
  const page = { ...lettersPage, path, title: `${subject} | ${site.name}`, description };
  return (
    <main id="main" className="letter-page">
      <PageMeta page={page} published={sentAt} />
      <FeedLink />
      <p className="back-home">
        <PageLink className="button button-quiet" to="/letters">
          All letters
        </PageLink>
      </p>
      <article key={path} className="prose letter-paper">
        <Stamp />
        <h1>{subject}</h1>
        <p className="muted">
          Sent <time dateTime={date.iso}>{date.text}</time>
        </p>
        <div className="letter-body">
          <LetterBody blocks={blocks} />
        </div>
        <div className="letter-foot">
          <Signature {...writer} />
          {Share ? <Share text={description} page={{ path, title: subject }} label="Share this letter" /> : null}
        </div>
      </article>
      <Neighbours {...letter} />
      {isLaunched ? null : (
        <section className="letter-join" aria-labelledby="join-letter-heading">
          <div>
            <h2 id="join-letter-heading">Get our letters by email</h2>
            <p>{`Join the waitlist as ${site.pioneer.one}. It’s free, and you can leave at any time.`}</p>
          </div>
          <SignUpForm id="join-letter" source={LETTER_SOURCE} wording={wordingFor(hasFollowUps)} />
        </section>
      )}
    </main>
  );
}

/** A stamp with a stall on it, and its postmark. */
function Stamp() {
  return (
    <Picture className="letter-stamp" viewBox="0 0 132 96">
      <path fill="var(--cloth)" d="M52 6h72v84H52z" />
      <path className="perforation" d="M52 6h72v84H52z" />
      <path fill="var(--horizon)" d="M60 14h56v68H60z" />
      <path className="grass" d="M60 66q28-8 56 0v16H60z" />
      <path className="pole" d="M70 46v30M106 46v30" />
      <path className="green" d="M68 60h40l-2 18H70z" />
      <path
        fill="var(--cloth)"
        d="M72 28h32l8 14a4 4 0 0 1-8 0 4 4 0 0 1-8 0 4 4 0 0 1-8 0 4 4 0 0 1-8 0 4 4 0 0 1-8 0 4 4 0 0 1-8 0z"
      />
      <path className="clay" d="M72 28h6l-6 14a4 4 0 0 1-8 0zM84 28h4v14a4 4 0 0 1-8 0zM98 28h6l8 14a4 4 0 0 1-8 0z" />
      <path className="pen fine" d="M64 42h48M72 28h32" />
      <path
        className="pen postmark"
        d="M34 24a24 24 0 1 0 .1 0M34 32a16 16 0 1 0 .1 0M56 40q8-6 16 0t16 0 16 0M58 48q8-6 16 0t16 0 16 0M56 56q8-6 16 0t16 0 16 0"
      />
    </Picture>
  );
}

interface SignatureProps {
  name?: string | undefined;
  photo?: string | undefined;
  /** Whether the letter itself ends with the name. */
  isSigned: boolean;
}

/** The mark and name of the founder, if there is one, and otherwise of the site. No name twice. */
function Signature({ name, photo, isSigned }: SignatureProps) {
  return (
    <div className="letter-signature">
      {photo === undefined ? (
        <span className="letter-mark">
          <Logo />
        </span>
      ) : (
        <img src={photo} alt="" width={PHOTO} height={PHOTO} loading="lazy" decoding="async" />
      )}
      {isSigned ? null : (
        <p>
          {name === undefined ? null : <strong>{name}</strong>}
          <SiteName />
        </p>
      )}
    </div>
  );
}

/** Pixels of each side of the founder's photograph. */
const PHOTO = 72;

function Neighbours({ older, newer }: { older: ListedLetter | null; newer: ListedLetter | null }) {
  if (older === null && newer === null) return null;
  return (
    <nav className="letter-neighbours" aria-label="Other letters">
      {older === null ? null : <NeighbourLink {...older} rel="prev" label="Older letter" />}
      {newer === null ? null : <NeighbourLink {...newer} rel="next" label="Newer letter" />}
    </nav>
  );
}

function NeighbourLink({ path, subject, rel, label }: ListedLetter & { rel: "prev" | "next"; label: string }) {
  return (
    <PageLink className="letter-neighbour" to={path} rel={rel}>
      <span>{label}</span> <strong>{subject}</strong>
    </PageLink>
  );
}

/** A letter's body as page content. The subject is the page's main heading, so the body's begin one level below. */
function LetterBody({ blocks }: { blocks: Block[] }): ReactNode {
  return element(Fragment, null, ...renderBlocks(blocks, pageComponents));
}

const pageComponents: Components<ReactNode> = {
  text: (text) => text,
  "line-break": () => <br />,
  strong: (parts) => element("strong", null, ...parts),
  emphasis: (parts) => element("em", null, ...parts),
  link: (parts, { address }) => element("a", { href: address, rel: "noopener" }, ...parts),
  heading: (parts, { level }) => element(`h${level + 1}`, null, ...parts),
  paragraph: (parts, { isTight }) => element(isTight ? Fragment : "p", null, ...parts),
  button: (parts, { address }) => (
    <p>{element("a", { className: "button", href: address, rel: "noopener" }, ...parts)}</p>
  ),
  links: (parts) => element("p", null, ...parts),
  image(_, { source, alt, address, size }) {
    const picture = <img src={source} alt={alt} {...size} loading="lazy" decoding="async" />;
    if (address === null) return picture;
    return (
      <a href={address} rel="noopener">
        {picture}
      </a>
    );
  },
  list: (items, { start }) => (start === null ? element("ul", null, ...items) : element("ol", { start }, ...items)),
  item: (parts) => element("li", null, ...parts),
  quote: (parts) => element("blockquote", null, ...parts),
  rule: () => <hr />,
};
