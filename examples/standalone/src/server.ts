/**
 * The standalone server: the whole service on one machine.
 */
import { type Serving, serve } from "@watchword/node"
import { SipOptionsError } from "@watchword/call/sip/Options"
import * as Docs from "@watchword/server/Docs"
import { StoreError } from "@watchword/store/StoreError"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Options, type Watchword, createWatchword } from "watchword"
import { introduce } from "./demo.ts"
import * as Gateways from "./Gateways.ts"
import { observability } from "./Observability.ts"
import * as Settings from "./Settings.ts"
import * as Storage from "./Storage.ts"

const main = async (): Promise<void> => {
  const settings = Result.getOrThrow(Settings.read(process.env))
  const service = await open(settings)
  const serving = await listen(settings, service)
  stopOnSignals(service, serving)
  const baseUrl = `http://${authority(serving)}${settings.basePath}`
  await introduce(service, baseUrl)
  console.log(`Watchword serves ${baseUrl}`)
}

const open = async (settings: Settings.Settings): Promise<Watchword> => {
  try {
    return await createWatchword(await optionsOf(settings))
  } catch (cause) {
    if (cause instanceof StoreError) throw new Error(`DATABASE_URL cannot be used: ${cause.message}`, { cause })
    if (cause instanceof SipOptionsError) throw new Error(`SIP_LISTEN: ${cause.message}`, { cause })
    throw cause
  }
}

const optionsOf = async (settings: Settings.Settings): Promise<Options> => ({
  store: Storage.layer(settings.database),
  ...(await Gateways.load(settings)),
  ...(Option.isSome(settings.prices) ? { prices: settings.prices.value } : {}),
  trustedProxies: settings.trustedProxies,
  pages: Docs.layer({ baseUrl: `${Option.getOrElse(settings.publicUrl, () => "")}${settings.basePath}` || "/" }),
  observability: observability(settings)
})

const listen = async (settings: Settings.Settings, service: Watchword): Promise<Serving> => {
  const { basePath, host, port } = settings
  try {
    return await serve({ handle: service.handle, operations: service.operations, basePath, host, port })
  } catch (cause) {
    await service.dispose()
    throw new Error(`HOST and PORT must name an address to listen at; ${host}:${port} cannot be had.`, { cause })
  }
}

// A second signal finds the listeners gone and ends the process at once.
const stopOnSignals = (service: Watchword, serving: Serving): void => {
  const stop = () => {
    process.removeListener("SIGINT", stop)
    process.removeListener("SIGTERM", stop)
    serving
      .close()
      .then(service.dispose)
      .then(() => process.exit(0), failed)
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
}

const authority = ({ host, port }: Serving): string => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`)

const failed = (error: unknown): void => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

main().catch(failed)
