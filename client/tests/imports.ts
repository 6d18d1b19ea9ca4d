// The imports of the sources, for tests of their order.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

import ts from "typescript";

export const SOURCES = join(import.meta.dirname, "../src");

/** Files to the files that they import, all as paths below `src` without their endings. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Read the imports of all scripts below a folder, those of types included. */
export function readImports(folder: string): ImportGraph {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return new Map(files.map((name) => [moduleName(name), importsOf(join(folder, name), folder)]));
}

function moduleName(path: string): string {
  return path.replace(/\.ts$/, "").replaceAll("\\", "/");
}

function importsOf(file: string, folder: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const named: string[] = [];
  const visit = (node: ts.Node): void => {
    const from = specifierOf(node);
    if (from && ts.isStringLiteral(from)) named.push(from.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return named
    .filter((name) => name.startsWith(".") && !name.endsWith(".css"))
    .map((name) => moduleName(relative(folder, normalize(join(dirname(file), name)))));
}

/** Return where an import, a re-export, `import("…")` or `typeof import("…")` takes its names from. */
function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0];
  return undefined;
}

/** Return a circle of files that import each other, first and last the same; null when there is none. */
export function findCircle(graph: ImportGraph): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    path.push(file);
    for (const imported of graph.get(file) ?? []) {
      const circle = visit(imported);
      if (circle) return circle;
    }
    path.pop();
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const circle = visit(file);
    if (circle) return circle;
  }
  return null;
}

/** Return the imports that the layers do not allow, as `from → to`. A folder may always import from itself. */
export function findTrespasses(graph: ImportGraph, layers: Readonly<Record<string, readonly string[]>>): string[] {
  const layerOf = (file: string): string => file.split("/")[0] ?? "";
  return [...graph].flatMap(([file, imported]) => {
    const own = layerOf(file);
    const allowed = [own, ...(layers[own] ?? [])];
    return imported.filter((to) => !allowed.includes(layerOf(to))).map((to) => `${file} → ${to}`);
  });
}
