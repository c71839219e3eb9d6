import { createElement as element, Fragment, type ReactNode } from "react";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { type Block, type Components, renderBlocks } from "#app/email/blocks/blocks.ts";
import { FeedLink } from "#app/features/letters/public/feed-link.tsx";
import { lettersPage } from "#app/features/letters/public/page.ts";
import { findPublicLetter, type ListedLetter } from "#app/features/letters/public/public-letters.server.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { appContext, articleContext } from "#app/server/context.ts";
import { site } from "#app/site.ts";
import { PageLink } from "#app/ui/page-link.tsx";

export const handle = { page: lettersPage };

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { db, config } = context.get(appContext);
  const letter = await findPublicLetter(db, params["id"] ?? "", config.SITE_URL);
  if (letter === null) throw data(null, { status: 404 });
  const { path, subject: headline, sentAt: published } = letter;
  context.set(articleContext, { path, headline, description: describe(letter), published });
  return letter;
}

function describe({ previewLine, date }: Pick<ListedLetter, "previewLine" | "date">): string {
  return previewLine || `A letter that ${site.name} sent to the people on its waitlist on ${date.text}.`;
}

export default function PublicLetterPage() {
  const loaderData = useLoaderData<typeof loader>();
  const { path, subject, date, sentAt, blocks } = loaderData;
  const page = { ...lettersPage, path, title: `${subject} | ${site.name}`, description: describe(loaderData) };
  return (
    <main id="main" className="prose">
      <PageMeta page={page} published={sentAt} />
      <FeedLink />
      <p className="back-home">
        <PageLink className="button button-quiet" to="/letters">
          All letters
        </PageLink>
      </p>
      <article key={path}>
        <h1>{subject}</h1>
        <p className="muted">
          Sent <time dateTime={date.iso}>{date.text}</time>
        </p>
        <div className="letter-body">
          <LetterBody blocks={blocks} />
        </div>
      </article>
    </main>
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
