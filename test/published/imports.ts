/**
 * The imports of a TypeScript module.
 */
import { type ModuleItem, parseSync } from "@swc/core"

export interface Import {
  readonly specifier: string
  /** `import "…"`, for its side effects. */
  readonly isBare: boolean
}

/** The static imports and re-exports of a module, including types. */
export const importsOf = (code: string): ReadonlyArray<Import> =>
  parseSync(code, { syntax: "typescript", target: "esnext" }).body.flatMap(importOf)

const importOf = (item: ModuleItem): ReadonlyArray<Import> => {
  switch (item.type) {
    case "ImportDeclaration":
      return [{ specifier: item.source.value, isBare: item.specifiers.length === 0 }]
    case "ExportAllDeclaration":
      return [{ specifier: item.source.value, isBare: false }]
    case "ExportNamedDeclaration":
      return item.source ? [{ specifier: item.source.value, isBare: false }] : []
    default:
      return []
  }
}
