/** An app with better-auth over real HTTP, whose codes the sandbox of a service shows. */
import { type Options, verification } from "@watchword/better-auth"
import { type BetterAuthOptions, betterAuth } from "better-auth"
import { memoryAdapter } from "better-auth/adapters/memory"
import { toNodeHandler } from "better-auth/node"
import { type PhoneNumberOptions, phoneNumber } from "better-auth/plugins"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { createServer } from "node:http"
import { type Caller, type GuardRules, type Watchword, createWatchword, memory } from "watchword"

export interface App {
  readonly service: Watchword
  readonly caller: Caller
  /** What better-auth has logged as errors. */
  readonly log: ReadonlyArray<string>
  readonly post: (path: string, body: object, cookie?: string) => Promise<Reply>
  readonly get: (path: string, cookie?: string) => Promise<Reply>
  /** The code that a phone shows. */
  readonly codeAt: (phone: string) => Promise<string>
  readonly close: () => Promise<void>
}

export interface Reply {
  readonly status: number
  readonly body: { readonly code?: string; readonly [field: string]: unknown }
  readonly cookie: string
  readonly retryAfter: string | null
}

export interface Settings {
  readonly plugin?: (
    options: Pick<Options<Caller>, "start"> & { service: Watchword; caller: Caller }
  ) => PhoneNumberOptions
  readonly start?: Options<Caller>["start"]
  readonly sandbox?: boolean
  readonly guards?: GuardRules
}

export const openApp = async ({ guards, plugin, sandbox = true, start }: Settings = {}): Promise<App> => {
  const service = await createWatchword({
    store: memory(),
    observability: silence,
    ...(guards === undefined ? {} : { guards })
  })
  const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
  const caller = { account, sandbox }
  const options = { service, caller, ...(start === undefined ? {} : { start }) }
  const log: Array<string> = []
  const auth = betterAuth({
    secret: "0123456789abcdef0123456789abcdef",
    baseURL: "http://127.0.0.1",
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message) => void log.push(message) },
    plugins: [
      phoneNumber({
        ...(plugin ?? verification)(options),
        signUpOnVerification: { getTempEmail: (phone) => `${phone.slice(1)}@phone.example` }
      })
    ]
  } satisfies BetterAuthOptions)
  const server = createServer(toNodeHandler(auth))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/api/auth`

  const ask = async (path: string, init: RequestInit, cookie: string): Promise<Reply> => {
    const headers = { "content-type": "application/json", origin: "http://127.0.0.1", cookie }
    const response = await fetch(`${base}${path}`, { ...init, headers })
    return {
      status: response.status,
      body: (await response.json()) ?? {},
      cookie: response.headers
        .getSetCookie()
        .map((value) => value.split(";", 1)[0])
        .join("; "),
      retryAfter: response.headers.get("retry-after")
    }
  }

  return {
    service,
    caller,
    log,
    post: (path, body, cookie = "") => ask(path, { method: "POST", body: JSON.stringify(body) }, cookie),
    get: (path, cookie = "") => ask(path, {}, cookie),
    codeAt: async (phone) => {
      const { messages } = await service.sandbox.inbox(caller, { to: phone })
      return messages[0]?.code ?? "none"
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await service.dispose()
    }
  }
}

const silence = Layer.succeed(References.MinimumLogLevel, "None")
