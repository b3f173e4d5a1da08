/** The store of the journal, by the suite of stores. */
import { cases } from "@watchword/store/conformance"
import { layer, manifest } from "journal-store"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "./suite.ts"

const folder = mkdtempSync(join(tmpdir(), "journals-"))
let files = 0
await run(cases({ manifest, store: () => layer(join(folder, `${++files}.journal`)) }))
rmSync(folder, { recursive: true })
