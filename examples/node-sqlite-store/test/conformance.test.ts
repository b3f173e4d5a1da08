import { cases } from "@watchword/store/conformance"
import * as Effect from "effect/Effect"
import { globSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { layer, manifest } from "../src/NodeSqliteStore.ts"

describe("the store on node:sqlite", () => {
  const harness = { manifest, store: () => layer(join(mkdtempSync(join(tmpdir(), "store-")), "store.db")) }
  for (const { check, name } of cases(harness))
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
})

it("the page on stores shows code that is in the files", () => {
  const root = join(import.meta.dirname, "..")
  const plain = (code: string): string => code.replaceAll(/^\s+/gm, "")
  const sources = globSync("src/*.ts", { cwd: root }).map((path) => plain(readFileSync(join(root, path), "utf8")))
  const page = readFileSync(join(root, "../../docs/store.md"), "utf8")
  const shown = [...page.matchAll(/^```typescript\n([^]*?)^```$/gm)].map(([, code = ""]) => plain(code))
  expect(shown.length).toBe(3)
  expect(shown.filter((code) => !sources.some((source) => source.includes(code)))).toEqual([])
})
