import { ts } from "@ts-morph/common";

/** A change of one place in a source file that some test should notice. */
export interface Fault {
  file: string;
  /** Where the text that it replaces begins and ends. */
  start: number;
  end: number;
  replacement: string;
  line: number;
}

/** Each operator of a comparison or condition, with what stands in its place. */
const operators: Record<string, string> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
};

/** Drizzle's predicates. */
const predicates: Record<string, string> = {
  eq: "ne",
  ne: "eq",
  lt: "lte",
  lte: "lt",
  gt: "gte",
  gte: "gt",
  isNull: "isNotNull",
  isNotNull: "isNull",
  inArray: "notInArray",
  notInArray: "inArray",
  and: "or",
  or: "and",
};

/** The same in SQL text. Longer ones first. */
const sqlPredicates: [RegExp, string][] = [
  [/\bIS NOT NULL\b/g, "IS NULL"],
  [/\bIS NULL\b/g, "IS NOT NULL"],
  [/\bNOT EXISTS\b/g, "EXISTS"],
  [/(?<!NOT )\bEXISTS\b/g, "NOT EXISTS"],
  [/\bNOT IN\b/g, "IN"],
  [/(?<!NOT )\bIN(?= [($])/g, "NOT IN"],
  [/ <> /g, " = "],
  [/ = /g, " <> "],
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/\bAND\b/g, "OR"],
  [/\bOR\b/g, "AND"],
];

const isSql = /\b(?:SELECT|WHERE|UPDATE|DELETE FROM|EXISTS|AND|IS NULL|IS NOT NULL|CASE WHEN)\b/;

/** All faults that can be planted in a file: in its comparisons, conditions, awaits and SQL predicates. */
export function findFaults(file: string, source: string): Fault[] {
  const faults: Fault[] = [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  function add(start: number, end: number, replacement: string) {
    faults.push({ file, start, end, replacement, line: tree.getLineAndCharacterOfPosition(start).line + 1 });
  }
  function replaceCondition(condition: ts.Expression) {
    for (const value of ["true", "false"]) add(condition.getStart(), condition.end, value);
  }
  function visit(node: ts.Node): void {
    if (ts.isBinaryExpression(node)) {
      const { operatorToken } = node;
      const other = operators[operatorToken.getText()];
      if (other !== undefined) add(operatorToken.getStart(), operatorToken.end, other);
    }
    if (ts.isIfStatement(node)) replaceCondition(node.expression);
    if (ts.isConditionalExpression(node)) replaceCondition(node.condition);
    if (ts.isAwaitExpression(node)) add(node.getStart(), node.expression.getStart(), "");
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const other = predicates[node.expression.text];
      if (other !== undefined && source.includes("drizzle-orm")) add(node.getStart(), node.expression.end, other);
    }
    if (ts.isTemplateLiteralToken(node) || ts.isStringLiteral(node)) {
      const text = node.getText();
      const statement = ts.isTemplateSpan(node.parent) ? node.parent.parent.getText() : text;
      if (isSql.test(ts.isTemplateHead(node) ? node.parent.getText() : statement)) {
        for (const [pattern, other] of sqlPredicates) {
          for (const { index, 0: found } of text.matchAll(pattern)) {
            add(node.getStart() + index, node.getStart() + index + found.length, other);
          }
        }
      }
    }
    // Types have nothing that runs.
    if (!ts.isTypeNode(node) && !ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  }
  visit(tree);
  return faults;
}
