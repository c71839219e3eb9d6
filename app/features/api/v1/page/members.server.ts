/** A JSON schema, as far as the readable page shows it. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
}

/** A member of a body, such as `consent.at`. */
interface Member {
  name: string;
  type: string;
  description: string;
  isRequired: boolean;
}

export function membersOf(schema: JsonSchema, prefix = ""): Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const name = `${prefix}${key}`;
    const isRequired = schema.required?.includes(key) ?? false;
    const own = { name, type: typeText(member), description: member.description ?? "", isRequired };
    const inner = withoutNull(member);
    const items = inner.items ?? inner;
    return [own, ...membersOf(items, inner.items === undefined ? `${name}.` : `${name}[].`)];
  });
}

/** `text (at most 300)`, `yes or no`, `time or null` */
export function typeText(schema: JsonSchema): string {
  const other = withoutNull(schema);
  if (other !== schema) return `${typeText(other)} or null`;
  const { $ref, type, format, enum: values, maxLength, minimum, maximum, items } = schema;
  if ($ref !== undefined) return $ref.split("/").at(-1) ?? "";
  if (values !== undefined) return values.join(", ");
  if (type === "array") return `list of ${items === undefined ? "anything" : typeText(items)}`;
  if (format !== undefined) return format === "date" ? "day" : "time";
  if (type === "boolean") return "true or false";
  if (type === "string") return maxLength === undefined ? "text" : `text (at most ${maxLength} characters)`;
  if (type === "integer" || type === "number") {
    return maximum === undefined ? "whole number" : `whole number (${minimum} to ${maximum})`;
  }
  return "object";
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return others[0] ?? schema;
}
