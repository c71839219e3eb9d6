import { Person, Scene } from "#app/ui/illustrations/parts.tsx";
import { Meadow } from "#app/ui/illustrations/post-placeholder.tsx";

/** The pictures of the sample posts, by file name in public/posts. `npm run generate:images` draws them. */
export const postScenes = {
  signpost: (
    <Scene>
      <Meadow />
      <path className="trail" d="M128 210c44-34 104-26 112-58 4-18-10-24-8-34h14c0 12 22 20 22 40 0 24-20 30-24 52z" />
      <path className="pole" d="M176 46v140" />
      <path className="green" d="M126 54h92l20 17-20 17h-92z" />
      <path className="gold" d="M226 98h-86l-18 15 18 15h86z" />
      <path className="pen" d="M126 54h92l20 17-20 17h-92zM226 98h-86l-18 15 18 15h86zM142 71h60M148 113h60" />
      <Person at="translate(296 192)scale(.92)" hue="clay" skin="2" />
    </Scene>
  ),
  /** A chalkboard of questions, one of them ticked. */
  questions: (
    <Scene>
      <Meadow />
      <path fill="var(--wood)" d="M142 46h116l22 146h-16l-64-8-64 8h-16z" />
      <path fill="var(--slate)" d="M151 56h98l14 108H137z" />
      <path
        className="chalk"
        d="M162 76h12v12h-12zM159 104h12v12h-12zM156 132h12v12h-12zM186 82h46M184 110h52M182 138h40"
      />
      <path className="chalk" d="m163 80 5 5 11-14" />
      <Person at="translate(104 192)scale(.92)" hue="gold" />
    </Scene>
  ),
  /** A letter hung on a line of bunting. */
  letter: (
    <Scene>
      <Meadow />
      <path className="pen string" d="M0 30q200 50 400 0" />
      <path className="clay" d="m34 37 38 8-24 30z" />
      <path className="green" d="m92 47 36 4-20 30z" />
      <path className="gold" d="m272 51 36-4-16 34z" />
      <path className="clay" d="m328 45 38-8-14 38z" />
      <path fill="var(--cloth)" d="M142 66h116v80H142z" />
      <path className="pen" d="M142 66h116v80H142zl58 46 58-46M142 146l42-47M258 146l-42-47" />
      <path fill="var(--wood)" d="M154 46h9v30h-9zM237 46h9v30h-9z" />
      <path className="clay" d="M200 98a12 12 0 1 0 .1 0" />
    </Scene>
  ),
};
