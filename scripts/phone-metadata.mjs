// Writes libphonenumber's metadata without formats, which are half of it and which nothing here uses: the numbering
// plans of packages/schemas, and those with the types of numbers of packages/guards, which are three times as large.
// Run it after the library is updated; tests compare the two.
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"

const packages = new URL("../packages/", import.meta.url)
const require = createRequire(new URL("schemas/package.json", packages))

const IDD_PREFIX = 1
const FORMATS = 4
const NATIONAL_PREFIX_FORMAT = 6

const bare = (plan, dropped) => {
  const kept = plan.map((field, index) => (dropped.includes(index) ? 0 : field))
  while (kept.at(-1) === 0) kept.pop()
  return kept
}

const all = (plans, dropped) =>
  Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, bare(plan, dropped)]))

const literalOf = (name, dropped, left = []) => {
  const known = JSON.parse(readFileSync(require.resolve(`libphonenumber-js/metadata.${name}.json`), "utf8"))
  const countries = all(known.countries, dropped)
  const whole = { ...known, countries, nonGeographic: all(known.nonGeographic, dropped) }
  const json = JSON.stringify(Object.fromEntries(Object.entries(whole).filter(([field]) => !left.includes(field))))
  return `'${json.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
}

const files = {
  "schemas/src/internal/phoneMetadata.ts": `/** Numbering plans from libphonenumber. Written by scripts/phone-metadata.mjs. */
import type { MetadataJson } from "libphonenumber-js/core"

export const metadata: MetadataJson = /* @__PURE__ */ JSON.parse(
  // oxlint-disable-next-line unicorn/prefer-string-raw -- written by a program
  ${literalOf("min", [FORMATS, NATIONAL_PREFIX_FORMAT])}
)
`,
  "guards/src/internal/typeMetadata.ts": `/** Numbering plans with types, from libphonenumber. Written by scripts/phone-metadata.mjs. */
import { metadata } from "@watchword/schemas/internal/phoneMetadata"
import type { MetadataJson } from "libphonenumber-js/core"

export const plans = (): MetadataJson => ({
  country_calling_codes: metadata.country_calling_codes,
  ...JSON.parse(
    // oxlint-disable-next-line unicorn/prefer-string-raw -- written by a program
    ${literalOf("max", [IDD_PREFIX, FORMATS, NATIONAL_PREFIX_FORMAT], ["country_calling_codes"])}
  )
})
`
}

for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, packages)
  if (!process.argv.includes("--check")) writeFileSync(file, text)
  else if (text !== readFileSync(file, "utf8")) process.exit(1)
}
