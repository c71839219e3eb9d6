import { formatNumber } from "#app/owner/ui/labels.ts";

/** A number with its name, in a list of them (`dl`). */
export function Tile({ name, value, main = false }: { name: string; value: number; main?: boolean }) {
  return (
    <div className={main ? "tile tile-main" : "tile"}>
      <dt>{name}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  );
}
