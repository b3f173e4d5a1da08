/**
 * Makes the program that it is preloaded to one of the next version: its stores have more migrations.
 */
import { registerHooks } from "node:module"

const SCHEMA = /adapters\/store-(sqlite|postgres)\/src\/schema\.ts$/
const more = new URL("migrations.ts", import.meta.url).href

registerHooks({
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
