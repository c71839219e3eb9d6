import { Flags, type PageSceneName, pageScenes } from "#app/ui/illustrations/page-scenes.tsx";
import { SharedParts } from "#app/ui/illustrations/shared-parts.tsx";

/** The picture of a page of few words, under a line of bunting. */
export function PageDrawing({ scene }: { scene: PageSceneName }) {
  const Scene = pageScenes[scene];
  return (
    <div className="page-drawing">
      <SharedParts />
      <Flags />
      <Scene />
    </div>
  );
}
