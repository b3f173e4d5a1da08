import { Miniflare } from "miniflare"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

/** Bundles everything into one module. */
export const bundle = async (file: string): Promise<string> => {
  const input = fileURLToPath(new URL(file, import.meta.url))
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false })
  await build.close()
  return output[0].code
}

/** Bundles for a Worker with the flag `nodejs_compat`. */
export const bundleForNode = async (file: string): Promise<string> => {
  const input = fileURLToPath(new URL(file, import.meta.url))
  const build = await rolldown({ input, platform: "node", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm", codeSplitting: false })
  await build.close()
  // Modules that were CommonJS resolve node:net from their own URL, which a Worker does not have.
  return output[0].code.replaceAll("import.meta.url", '"file:///worker.js"')
}

/** The Worker of worker.ts, running in workerd on a D1 database, and an account with keys. */
export const open = async () => {
  const worker = new Miniflare({
    modules: true,
    script: await bundle("worker.ts"),
    compatibilityDate: "2026-07-01",
    d1Databases: { DB: "watchword" },
    unsafeTriggerHandlers: true,
    host: "127.0.0.1",
    cf: false,
    telemetry: { enabled: false }
  })
  const { origin } = await worker.ready
  const made = await fetch(`${origin}/accounts`, { method: "POST" })
  const { account, key, nearKey, readKey }: Made = JSON.parse(await made.text())
  /** Runs the cron trigger. */
  const tick = async () => (await fetch(`${origin}/cdn-cgi/handler/scheduled`)).text()
  return { worker, origin, account, key, nearKey, readKey, tick, close: () => worker.dispose() }
}

interface Made {
  readonly account: string
  readonly key: string
  readonly readKey: string
  readonly nearKey: string
}
