import * as v from "valibot";
import type { Query } from "#app/features/api/v1/route.server.ts";
import { formed } from "#app/features/api/v1/schemas/common.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import { type Filter, filters } from "#app/waitlist/filter/filters.server.ts";

/** The filters of the list as parameters of a query. */
export const filterQuery = perSettings(
  (): Query =>
    Object.fromEntries(
      filters()
        .filter(({ isOff }) => isOff !== true)
        .map((filter) => [filter.name, { schema: schemaOf(filter), isList: filter.isList ?? false }]),
    ),
);

function schemaOf({ description, format, values, input }: Filter): v.GenericSchema {
  if (format !== undefined) return formed(format, description);
  if (values !== undefined) return v.pipe(v.picklist(Object.keys(values)), v.description(description));
  return v.pipe(v.string(), v.minLength(1), v.maxLength(input?.maxLength ?? 0), v.description(description));
}
