import { type ComponentType, lazy } from "react";
import { Bunting } from "#app/ui/illustrations/bunting.tsx";
import type { PageSceneName } from "#app/ui/illustrations/page-scenes.tsx";
import { ServerDrawn } from "#app/ui/illustrations/server-drawn.tsx";

const scenes: Record<PageSceneName, ComponentType> = import.meta.env.SSR
  ? (await import("#app/ui/illustrations/page-scenes.tsx")).pageScenes
  : {
      envelope: onDemand("envelope"),
      ledger: onDemand("ledger"),
      packing: onDemand("packing"),
      pitch: onDemand("pitch"),
    };

const SharedParts = import.meta.env.SSR
  ? (await import("#app/ui/illustrations/shared-parts.tsx")).SharedParts
  : lazy<ComponentType>(() =>
      import("#app/ui/illustrations/shared-parts.tsx")
        .then(({ SharedParts }) => ({ default: SharedParts }))
        .catch(nothing),
    );

/** The picture of a page of few words, under a line of bunting. */
export function PageDrawing({ scene }: { scene: PageSceneName }) {
  return (
    <div className="page-drawing">
      <Bunting />
      <ServerDrawn className="shared-parts" Drawing={SharedParts} />
      <ServerDrawn key={scene} className="page-scene" Drawing={scenes[scene]} />
    </div>
  );
}

function onDemand(scene: PageSceneName) {
  return lazy<ComponentType>(() =>
    import("#app/ui/illustrations/page-scenes.tsx")
      .then(({ pageScenes }) => ({ default: pageScenes[scene] }))
      .catch(nothing),
  );
}

function nothing() {
  return { default: () => null };
}
