// Writes packages/schemas/src/internal/phoneMetadata.ts: libphonenumber's metadata without formats, which are half of it
// and which nothing here uses. Run it after the library is updated; a test compares the two.
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"

const folder = new URL("../packages/schemas/", import.meta.url)
const require = createRequire(new URL("package.json", folder))
const file = new URL("src/internal/phoneMetadata.ts", folder)

const IDD_PREFIX = 1
const FORMATS = 4
const NATIONAL_PREFIX_FORMAT = 6

const bare = (plan) => {
  const kept = plan.map((field, index) => ([IDD_PREFIX, FORMATS, NATIONAL_PREFIX_FORMAT].includes(index) ? 0 : field))
  while (kept.at(-1) === 0) kept.pop()
  return kept
}

const all = (plans) => Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, bare(plan)]))

const write = () => {
  const known = JSON.parse(readFileSync(require.resolve("libphonenumber-js/metadata.min.json"), "utf8"))
  const json = JSON.stringify({ ...known, countries: all(known.countries), nonGeographic: all(known.nonGeographic) })
  const literal = `'${json.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
  return `/** Numbering plans from libphonenumber. Written by scripts/phone-metadata.mjs. */
import type { MetadataJson } from "libphonenumber-js/core"

export const metadata: MetadataJson = /* @__PURE__ */ JSON.parse(
  // oxlint-disable-next-line unicorn/prefer-string-raw -- written by a program
  ${literal}
)
`
}

const text = write()
if (process.argv.includes("--check")) process.exit(text === readFileSync(file, "utf8") ? 0 : 1)
writeFileSync(file, text)
