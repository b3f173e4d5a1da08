/**
 * Runs the Worker on this machine, in the same runtime that Cloudflare uses.
 */
import { migrate } from "@watchword/store-d1"
import { Miniflare } from "miniflare"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

export interface Options {
  /** 0 for any free port. */
  readonly port: number
  /** Where the database is stored; only in memory by default. */
  readonly folder?: string
  readonly secrets?: Readonly<Record<string, string>>
}

/** Bundles the Worker, migrates its database to this version and starts it. */
export const start = async ({ folder, port, secrets = {} }: Options) => {
  const miniflare = new Miniflare({
    modules: true,
    script: await bundle(),
    compatibilityDate: "2026-07-01",
    d1Databases: { DB: "watchword" },
    bindings: secrets,
    unsafeTriggerHandlers: true,
    host: "127.0.0.1",
    port,
    cf: false,
    telemetry: { enabled: false },
    ...(folder === undefined ? {} : { d1Persist: folder })
  })
  const { origin } = await miniflare.ready
  await migrate(await miniflare.getD1Database("DB"))
  return { origin, close: () => miniflare.dispose() }
}

const bundle = async (): Promise<string> => {
  const input = fileURLToPath(new URL(import.meta.resolve("./worker.ts")))
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" })
  // A single module, as wrangler builds it, including the modules that the Worker imports later.
  const { output } = await build.generate({ format: "esm", codeSplitting: false })
  await build.close()
  return output[0].code
}
