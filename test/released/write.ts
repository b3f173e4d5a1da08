/**
 * Writes the databases of the next release: `npm run databases`.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { d1 } from "../../adapters/store-d1/test/releases.ts"
import { postgres } from "../../adapters/store-postgres/test/releases.ts"
import { sqlite } from "../../adapters/store-sqlite/test/releases.ts"
import { perform } from "./history.ts"
import { unreleased } from "./versions.ts"

for (const { folder, open, schema } of [sqlite, postgres, d1]) {
  const database = await open()
  await database.load(schema())
  const facts = await perform(database.store)
  const release = new URL(`${unreleased}/`, folder)
  mkdirSync(release, { recursive: true })
  writeFileSync(new URL("schema.sql", release), schema())
  writeFileSync(new URL("rows.sql", release), await database.dump())
  writeFileSync(new URL("facts.json", release), `${JSON.stringify(facts, null, 2)}\n`)
  await database.close()
}
