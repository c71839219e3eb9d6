import { type ESTree, parseSync, Visitor } from "vite";

/**
 * Finds text nodes that break when a browser translates the page. A translation takes a text node out of the document and
 * puts `<font>` in its place. React then throws if it removes the text or inserts an element before it, and a change of the
 * text does not show. Text that is all of its element's content is safe: React replaces the content.
 *
 * @returns a line for each: its number, and the text
 */
export function looseText(fileName: string, code: string): string[] {
  const { program } = parseSync(fileName, code, { preserveParens: false });
  const constants = program.body.flatMap(declaredNames);
  const found: string[] = [];

  function check(all: ESTree.JSXChild[]) {
    const children = all.flatMap((child) => {
      const kind = kindOfChild(child, (node) => namesIn(node).every((name) => constants.includes(name)));
      return kind === null ? [] : [{ ...kind, child }];
    });
    if (children.length < 2) return;
    const somethingElseChanges = children.some(({ isText, changes }) => changes && !isText);
    for (const { child, isText, changes } of children) {
      if (!isText || !(changes || somethingElseChanges)) continue;
      const line = code.slice(0, child.start).split("\n").length;
      found.push(`${line}: ${code.slice(child.start, child.end).trim().replaceAll(/\s+/g, " ")}`);
    }
  }

  new Visitor({
    JSXElement: ({ children }) => check(children),
    JSXFragment: ({ children }) => check(children),
  }).visit(program);
  return found;
}

interface Kind {
  /** It is a text node that a translation replaces, or may be one. */
  isText: boolean;
  /** It may come, go or change while its parent stays. */
  changes: boolean;
}

type IsConstant = (node: ESTree.Node) => boolean;

const fixed: Kind = { isText: false, changes: false };

/** @returns null if it renders nothing */
function kindOfChild(child: ESTree.JSXChild, isConstant: IsConstant): Kind | null {
  if (child.type === "JSXText") {
    if (child.value.trim() !== "") return { isText: true, changes: false };
    return child.value.includes("\n") ? null : fixed;
  }
  if (child.type !== "JSXExpressionContainer") return fixed;
  return child.expression.type === "JSXEmptyExpression" ? null : kindOf(child.expression, isConstant);
}

function kindOf(node: ESTree.Expression, isConstant: IsConstant): Kind | null {
  switch (node.type) {
    case "JSXElement":
    case "JSXFragment":
      return fixed;
    case "Literal":
      if (node.value === null) return null;
      return String(node.value).trim() === "" ? fixed : { isText: true, changes: false };
    case "ConditionalExpression":
      return either(node.test, [node.consequent, node.alternate], isConstant);
    case "LogicalExpression":
      return either(node.left, [node.right], isConstant);
    case "CallExpression":
      if (!isMap(node)) break;
      return { isText: false, changes: !isConstant(node.callee) };
    case "ChainExpression":
      // What `?.()` calls makes elements.
      if (node.expression.type !== "CallExpression") break;
      return { isText: false, changes: true };
  }
  if (node.type === "Identifier" && node.name === "children") return fixed;
  return { isText: true, changes: !isConstant(node) };
}

function either(test: ESTree.Expression, results: ESTree.Expression[], isConstant: IsConstant): Kind {
  const kinds = results.map((result) => kindOf(result, isConstant)).filter((kind) => kind !== null);
  return {
    isText: kinds.some(({ isText }) => isText),
    changes: !isConstant(test) || kinds.some(({ changes }) => changes),
  };
}

/** A list of elements. */
function isMap({ callee }: ESTree.CallExpression): boolean {
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" && callee.property.name === "map";
}

/** What a module imports, and its own constants and functions. */
function declaredNames(statement: ESTree.Program["body"][number]): string[] {
  if (statement.type === "ImportDeclaration") return statement.specifiers.map(({ local }) => local.name);
  const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  if (declared?.type !== "VariableDeclaration" || declared.kind !== "const") return [];
  return declared.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
}

/** The variables that an expression reads. */
function namesIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(namesIn);
  const { type, name, object, computed } = node as Record<string, unknown>;
  if (type === "Identifier") return name === "undefined" ? [] : [String(name)];
  return namesIn(type === "MemberExpression" && computed !== true ? [object] : Object.values(node));
}
