import { appContext } from "#app/context.ts";
import { Hero } from "#app/landing/hero.tsx";
import { LargeLogo } from "#app/landing/large-logo.tsx";
import { site } from "#app/site.ts";
import { answerFormPost } from "#app/waitlist/form-post.server.ts";
import type { Route } from "./+types/home";

export function meta() {
  return [{ title: `${site.name}: ${site.tagline}` }, { name: "description", content: site.description }];
}

export function action({ context, request, url }: Route.ActionArgs) {
  return answerFormPost(context.get(appContext), request, url);
}

export default function Home() {
  return (
    <main id="main">
      <LargeLogo />
      <Hero />
    </main>
  );
}
