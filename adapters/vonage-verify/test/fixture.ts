/** A service in the sandbox behind Verify v2 on a socket, Vonage's own client, and tokens as apps sign them. */
import { Vonage } from "@vonage/server-sdk"
import { vonageVerify } from "@watchword/vonage-verify"
import { watchword } from "@watchword/node"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { SignJWT, exportPKCS8, exportSPKI, generateKeyPair } from "jose"
import { once } from "node:events"
import { createServer } from "node:http"
import { type Caller, type Options, type Watchword, createWatchword, memory } from "watchword"
import type { Options as VonageOptions } from "@watchword/vonage-verify"

export const PHONE = "4915123456789"
export const APPLICATION = "aaaaaaaa-bbbb-cccc-dddd-0123456789ab"

/** A pair of keys of an application. */
export interface Pair {
  readonly privateKey: CryptoKey
  /** As PEM files. */
  readonly pem: { readonly private: string; readonly public: string }
}

export const pairOf = async (modulusLength = 2048): Promise<Pair> => {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true, modulusLength })
  return { privateKey, pem: { private: await exportPKCS8(privateKey), public: await exportSPKI(publicKey) } }
}

// One pair for all tests: making one takes a while.
let made: Promise<Pair> | undefined
export const usualPair = (): Promise<Pair> => (made ??= pairOf())

export interface World extends AsyncDisposable {
  readonly service: Watchword
  readonly account: string
  readonly caller: Caller
  readonly url: string
  /** Vonage's client, pointed here by the option that Vonage documents. */
  readonly verify: Vonage["verify2"]
  /** Moves the service's clock. */
  readonly wait: (seconds: number) => void
  /** The service's time in milliseconds since the epoch. */
  readonly now: () => number
  /** The codes that a phone has got, newest first. */
  readonly codes: (to?: string) => Promise<ReadonlyArray<string>>
}

export const openWorld = async (more: Partial<Options> = {}, options: VonageOptions = {}): Promise<World> => {
  let ahead = 0
  const now = () => Date.now() + ahead
  const observability = Layer.succeed(References.MinimumLogLevel, "None")
  const service = await createWatchword({ store: memory(), observability, guards: "none", clock: { now }, ...more })
  const { account_id: account } = await service.operator.account.create({ name: "Acme" })
  const { pem } = await usualPair()
  await service.operator.door.key({
    account_id: account,
    application: APPLICATION,
    public_key: pem.public,
    sandbox: true
  })
  const server = createServer(watchword(vonageVerify(service, options), { basePath: "/vonage" }))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/vonage`
  const vonage = new Vonage({ applicationId: APPLICATION, privateKey: pem.private }, { apiHost: url })
  const caller = { account, sandbox: true }
  return {
    service,
    account,
    caller,
    url,
    verify: vonage.verify2,
    now,
    wait: (seconds) => {
      ahead += seconds * 1000
    },
    codes: async (to = PHONE) => {
      const { messages } = await service.sandbox.inbox(caller, { to: `+${to}` })
      return messages.flatMap(({ code }) => code ?? [])
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await service.dispose()
    }
  }
}

/** The status and the document of an SDK's error. */
export const problem = async (failing: Promise<unknown>) => {
  const error: unknown = await failing.then(
    () => "no error",
    (error: unknown) => error
  )
  if (!(error instanceof Error) || !("response" in error) || !(error.response instanceof Response)) throw error
  const body: Readonly<Record<string, unknown>> = Object(await error.response.json())
  return { status: error.response.status, body }
}

/** Another code than the right one, with the same length. */
export const wrong = (code: string): string => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, "0")

/** A token as Vonage's SDKs sign them, with other claims where they are given. */
export const tokenOf = async (
  { now }: Pick<World, "now">,
  claims: Readonly<Record<string, unknown>> = {},
  by?: CryptoKey
): Promise<string> => {
  const at = Math.floor(now() / 1000)
  const payload = { application_id: APPLICATION, iat: at, exp: at + 900, jti: crypto.randomUUID(), ...claims }
  const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
  return new SignJWT(given).setProtectedHeader({ alg: "RS256", typ: "JWT" }).sign(by ?? (await usualPair()).privateKey)
}

export interface Answer {
  readonly status: number
  readonly type: string | null
  readonly headers: Headers
  readonly body: unknown
}

/** Sends a request as no SDK would. */
export const send = async (
  { url }: Pick<World, "url">,
  method: string,
  path: string,
  { authorization, body, type = "application/json" }: { authorization?: string; body?: unknown; type?: string }
): Promise<Answer> => {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { "content-type": type })
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    headers: response.headers,
    body: text === "" ? null : JSON.parse(text)
  }
}

export const basic = (account: string, key: string): string =>
  `Basic ${Buffer.from(`${account}:${key}`).toString("base64")}`
