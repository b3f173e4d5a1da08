import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

// The blocks of docs/store.md make one module: a store, and the suite that it must pass.
const guide = readFileSync(new URL("../../../../docs/store.md", import.meta.url), "utf8")
const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code)

const folder = new URL("../../build/", import.meta.url)
const file = fileURLToPath(new URL("guide.ts", folder))
mkdirSync(folder, { recursive: true })
writeFileSync(file, blocks.join("\n"))
await import(file)
