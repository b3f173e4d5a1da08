/**
 * A service with Telegram Login behind Node's HTTP server, at a provider of a test.
 */
import { serve } from "@watchword/node"
import { accepted } from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Options, createWatchword, memory } from "watchword"
import { telegramLogin } from "watchword/telegramLogin"
import { freePort } from "../freePort.ts"

export const NUMBER = "+4915123456789"
export const CLIENT = { clientId: "bot 12:34", clientSecret: "s:e%c r+e-._~" }

/** A carrier that takes every text. */
const carrier = () => {
  const texts: Array<string> = []
  const gateway = Layer.succeed(SmsGateway, {
    events: () => Effect.void,
    health: Effect.succeed([]),
    webhook: null,
    send: ({ delivery, to }) => Effect.sync(() => (texts.push(to), accepted([`ref-${delivery}`])))
  })
  return { gateway, texts }
}

/** @param issuer null for only the sandbox */
export const open = async (
  issuer: string | null,
  given: { readonly alg?: string; readonly options?: Partial<Options> } = {}
) => {
  const { alg = "RS256", options } = given
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/v1`
  const { gateway, texts } = carrier()
  const lines: Array<string> = []
  const note = (...line: ReadonlyArray<unknown>) => void lines.push(line.map((each) => JSON.stringify(each)).join(" "))
  const service = await createWatchword({
    store: memory(),
    secret: "0123456789abcdef0123456789abcdef",
    publicUrl: url,
    guards: "none",
    sms: gateway,
    telegramLogin: telegramLogin(issuer === null ? null : { ...CLIENT, alg, issuer }),
    logger: { debug: note, info: note, warn: note, error: note },
    ...options
  })
  const serving = await serve(service, { basePath: "/v1", port })
  const { account_id: account } = await service.operator.account.create({ name: "Acme" })
  const start = async (to = NUMBER, isSandbox = false) => {
    const caller = isSandbox ? ({ account, sandbox: true } as const) : { account }
    const started = await service.verify.start(caller, {
      to,
      workflow: [
        { channel: "receive", by: ["telegram_login"], timeout: 120 },
        { channel: "sms", timeout: 60 }
      ]
    })
    const now = () => service.verify.get(caller, started.id)
    return { uri: started.present?.[0]?.uri ?? "", started, now, caller }
  }
  return {
    service,
    url,
    texts,
    lines,
    start,
    stop: async () => {
      await serving.close()
      await service.dispose()
    }
  }
}

/** A page as a browser gets it. */
export const visit = async (url: string, language = "en") => {
  const response = await fetch(url, { headers: { "accept-language": language }, redirect: "manual" })
  const html = await response.text()
  return { status: response.status, headers: response.headers, html, title: /<h1>(.*)<\/h1>/.exec(html)?.[1] ?? "" }
}
