import * as v from "valibot";
import { apiScopes } from "#app/features/api/keys/scopes.ts";
import { member, problemSchema } from "#app/features/api/v1/schemas/common.server.ts";
import {
  entryChangeSchema,
  entryListSchema,
  entrySchema,
  newEntrySchema,
  writtenEntrySchema,
} from "#app/features/api/v1/schemas/entries.server.ts";
import { letterListSchema, letterSchema } from "#app/features/api/v1/schemas/letters.server.ts";
import { dayStatsSchema, groupStatsSchema } from "#app/features/api/v1/schemas/stats.server.ts";

export const schemas = {
  Entry: entrySchema,
  EntryList: entryListSchema,
  WrittenEntry: writtenEntrySchema,
  NewEntry: newEntrySchema,
  EntryChange: entryChangeSchema,
  DayStats: dayStatsSchema,
  GroupStats: groupStatsSchema,
  Letter: letterSchema,
  LetterList: letterListSchema,
  Key: v.object({
    name: member.text("What the owner called it."),
    scopes: v.pipe(v.array(v.picklist(Object.keys(apiScopes))), v.description("What it may do.")),
  }),
  Document: v.objectWithRest({ openapi: member.text("3.1.0.") }, v.unknown()),
  Problem: problemSchema,
} as const;

export type SchemaName = keyof typeof schemas;
