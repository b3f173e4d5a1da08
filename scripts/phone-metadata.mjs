// Writes libphonenumber's metadata in parts. packages/schemas gets the numbering plans without formats, which are half
// of it; packages/guards the types of numbers, which are three times as large; packages/form the formats, and the
// calling codes.
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

const read = (name, dropped) => {
  const known = JSON.parse(readFileSync(require.resolve(`libphonenumber-js/metadata.${name}.json`), "utf8"))
  return { ...known, countries: all(known.countries, dropped), nonGeographic: all(known.nonGeographic, dropped) }
}

const literalOf = (value) => `'${JSON.stringify(value).replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

/** Plans in which a 1 stands for what another one has in the same place: no field is a number but 0, for nothing. */
const SAME = 1

const beside = (plans, others) =>
  Object.fromEntries(
    Object.entries(plans).map(([name, plan]) => [
      name,
      plan.map((field, place) =>
        field !== 0 && JSON.stringify(field) === JSON.stringify(others[name]?.[place]) ? SAME : field
      )
    ])
  )

const plain = read("min", [FORMATS, NATIONAL_PREFIX_FORMAT])
const typed = read("max", [IDD_PREFIX, FORMATS, NATIONAL_PREFIX_FORMAT])

/** The fields of formats, by country; a country whose formats another one has is without. */
const formats = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(require.resolve("libphonenumber-js/metadata.min.json"), "utf8")).countries)
    .filter(([, plan]) => plan[FORMATS])
    .map(([name, plan]) => [name, [plan[FORMATS], plan[NATIONAL_PREFIX_FORMAT] ?? 0]])
)

const callingCodes = Object.entries(plain.countries)
  .map(([country, [code]]) => country + code)
  .sort()
  .join(" ")

const files = {
  "form/src/internal/numbers/formats.ts": `/**
 * How numbers are written by country, from libphonenumber. Written by scripts/phone-metadata.mjs.
 */
export const formats = (): Readonly<Record<string, readonly [formats: unknown, nationalPrefix: unknown]>> =>
  JSON.parse(
    // oxlint-disable-next-line unicorn/prefer-string-raw -- written by a program
    ${literalOf(formats)}
  )
`,
  "form/src/internal/callingCodes.ts": `/**
 * Countries with their calling codes, from libphonenumber. Written by scripts/phone-metadata.mjs.
 */
// oxfmt-ignore
export const callingCodes =
  "${callingCodes}"
`,
  "schemas/src/phone/metadata.ts": `/**
 * Numbering plans from libphonenumber. Written by scripts/phone-metadata.mjs.
 */
import type { MetadataJson } from "libphonenumber-js/core"

export const metadata: MetadataJson = /* @__PURE__ */ JSON.parse(
  // oxlint-disable-next-line unicorn/prefer-string-raw -- written by a program
  ${literalOf(plain)}
)
`,
  "guards/src/internal/typeMetadata.ts": `/**
 * Types of numbers by country, from libphonenumber. Written by scripts/phone-metadata.mjs.
 *
 * A 1 means the same field of the plan without types.
 */
import type { MetadataJson } from "libphonenumber-js/core"

export const types = (): Pick<MetadataJson, "countries" | "nonGeographic"> =>
  JSON.parse(
    // oxlint-disable-next-line unicorn/prefer-string-raw -- written by a program
    ${literalOf({
      countries: beside(typed.countries, plain.countries),
      nonGeographic: beside(typed.nonGeographic, plain.nonGeographic)
    })}
  )
`
}

for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, packages)
  if (!process.argv.includes("--check")) writeFileSync(file, text)
  else if (text !== readFileSync(file, "utf8")) process.exit(1)
}
