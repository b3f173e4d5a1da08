/**
 * Makes the program that it is preloaded to one of the next version: its stores have more migrations. A bundle has no
 * modules to change, so its sources run in its place.
 */
import { registerHooks } from "node:module"

const SCHEMA = /adapters\/store-(sqlite|postgres)\/src\/schema\.ts$/
const more = new URL("migrations.ts", import.meta.url).href

const sources = new Map([
  [new URL("../../main.mjs", import.meta.url).href, new URL("../../src/main.ts", import.meta.url).href],
  [new URL("../../watchword.mjs", import.meta.url).href, new URL("../../src/cli.ts", import.meta.url).href]
])

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const resolved = nextResolve(specifier, context)
    const source = sources.get(resolved.url)
    return source === undefined ? resolved : nextResolve(source, context)
  },
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    const [, store] = SCHEMA.exec(url) ?? []
    if (store === undefined) return loaded
    const source = `${String(loaded.source).replace("export const migrations", "const released")}
import { ${store} as next } from ${JSON.stringify(more)}
export const migrations = [...released, ...next(released.length)]`
    return { ...loaded, source }
  }
})
