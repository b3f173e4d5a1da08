import { Miniflare } from "miniflare"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

/** A Worker of this folder, running in workerd with a D1 database that is empty. */
export const start = async (file: string): Promise<Miniflare> => {
  const input = fileURLToPath(new URL(file, import.meta.url))
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm" })
  await build.close()
  const worker = new Miniflare({
    modules: true,
    script: output[0].code,
    compatibilityDate: "2026-07-01",
    d1Databases: { DB: "watchword" },
    host: "127.0.0.1",
    cf: false,
    telemetry: { enabled: false }
  })
  await worker.ready
  return worker
}
