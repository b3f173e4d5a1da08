import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as EffectLogger from "effect/Logger"
import { describe, expect, it, vi } from "vitest"
import { type Fields, type Options, createWatchword, memory } from "watchword"
import * as Logger from "../src/internal/Logger.ts"

const german = "+4915123456789"

interface Line {
  readonly level: string
  readonly message: string
  readonly fields: Fields
}

/** A logger that keeps its lines. */
const recorder = () => {
  const lines: Array<Line> = []
  const log = (level: string) => (message: string, fields: Fields) => void lines.push({ level, message, fields })
  return { lines, debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") }
}

const withService = async <A>(
  options: Partial<Options>,
  use: (service: Awaited<ReturnType<typeof createWatchword>>) => Promise<A>
) => {
  const service = await createWatchword({ store: memory(), ...options })
  try {
    return await use(service)
  } finally {
    await service.dispose()
  }
}

type Service = Awaited<ReturnType<typeof createWatchword>>

const post = ({ handle }: Service, path: string, headers: Readonly<Record<string, string>>, body: unknown) =>
  handle({ method: "POST", path, headers, body: { _tag: "Parsed", value: body }, remoteAddress: "127.0.0.1" })

/** A store that finds no keys any more. */
const unable = () => {
  const store = makeMemory()
  const keyByHash = () => Effect.fail(new StoreError({ reason: "Unavailable", message: "no disk" }))
  return Layer.succeed(Store, Store.of({ ...store, keyByHash }))
}

/** A gateway that is connected, and is asked for nothing. */
const silent = Layer.succeed(SmsGateway, {
  send: () => Effect.die("not asked"),
  events: () => Effect.void,
  health: Effect.succeed([{ name: "carrier", up: true }]),
  webhook: null
})

describe("the logger of a service", () => {
  it("has a line for each request, with its route and its id", async () => {
    const logger = recorder()
    await withService({ logger }, async (service) => {
      const { account_id: account } = await service.operator.account.create()
      const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
      const headers = { "x-api-key": key, "x-account-id": account, "x-request-id": crypto.randomUUID() }
      const { status } = await post(service, "/sms", headers, { to: german, text: "Your code is 987123" })
      expect(status).toBe(200)
      expect(logger.lines).toContainEqual({
        level: "debug",
        message: "POST /sms 200",
        fields: {
          request_id: headers["x-request-id"],
          method: "POST",
          route: "/sms",
          status: 200,
          duration_ms: expect.any(Number)
        }
      })
    })
  })

  it("has why a key was refused under the id of the request", async () => {
    const logger = recorder()
    await withService({ logger }, async (service) => {
      const request_id = crypto.randomUUID()
      const refused = await post(service, "/sms", { "x-request-id": request_id }, {})
      expect(refused.status).toBe(401)
      expect(logger.lines).toContainEqual({
        level: "debug",
        message: "a key was refused",
        fields: { request_id, reason: "no x-api-key and no x-account-id" }
      })
    })
  })

  it("never has a code, a text, a key or a number, at any level", async () => {
    const logger = recorder()
    await withService({ logger }, async (service) => {
      const { account_id: account } = await service.operator.account.create()
      const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
      const headers = { "x-api-key": key, "x-account-id": account }
      await post(service, "/sms", headers, { to: german, text: "Your code is 987123" })
      await post(service, "/sms", headers, { to: "015123456789", text: "Your code is 987123" })
      await post(service, "/chatgw", headers, { to: german, code: "987123" })
      await post(service, "/verifications", headers, { to: german })
      await post(service, `/verifications/${german}`, headers, {})
      await post(service, "/sms", { ...headers, "x-account-id": "acc_wrong" }, {})
      const { messages } = await service.sandbox.inbox({ account, sandbox: true })
      const codes = messages.flatMap(({ code }) => code ?? [])
      const text = JSON.stringify(logger.lines)
      expect(codes.length).toBeGreaterThan(2)
      for (const secret of [...codes, german.slice(1), "015123456789", key, "Your code"])
        expect(text).not.toContain(secret)
    })
  })

  it("has a fault in fields: what failed, and where", async () => {
    const { error, lines } = recorder()
    await withService({ logger: { error }, store: unable() }, async (service) => {
      const { account_id: account } = await service.operator.account.create()
      const { key } = await service.operator.key.create({ account_id: account })
      const { status } = await post(service, "/sms", { "x-api-key": key, "x-account-id": account }, {})
      expect(status).toBe(503)
    })
    expect(lines).toEqual([
      {
        level: "error",
        message: "the store failed",
        fields: {
          request_id: expect.any(String),
          method: "POST",
          route: "/sms",
          error: "StoreError: no disk",
          stack: expect.stringContaining("StoreError: no disk\n")
        }
      }
    ])
  })

  it("gets lines of the levels that it has functions for", async () => {
    const { error, lines } = recorder()
    await withService({ logger: { error } }, (service) => post(service, "/sms", {}, {}))
    expect(lines).toEqual([])
  })

  it("is pino, which wants fields first", async () => {
    const calls: Array<ReadonlyArray<unknown>> = []
    const pino = { bindings: () => ({}), debug: (...args: ReadonlyArray<unknown>) => void calls.push(args) }
    await withService({ logger: pino }, (service) => post(service, "/sms", {}, {}))
    expect(calls.at(-1)).toEqual([expect.objectContaining({ route: "/sms", status: 401 }), "POST /sms 401"])
  })

  it("is the console by default: warnings and errors, one line each", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue()
    const debug = vi.spyOn(console, "debug").mockReturnValue()
    try {
      await withService({ sms: silent, guards: "none" }, (service) => post(service, "/sms", {}, {}))
      expect(warn.mock.calls).toEqual([
        ['No prices are set: live messages cost 0, and no balance limits them {"gateways":["sms:carrier"]}'],
        [
          "a key was refused; further refusals for this reason are only counted in the metric " +
            '{"reason":"no x-api-key and no x-account-id"}'
        ]
      ])
      expect(debug).not.toHaveBeenCalled()
    } finally {
      vi.restoreAllMocks()
    }
  })

  it("may fail, which changes nothing", () =>
    withService(
      {
        logger: {
          debug: () => {
            throw new Error("disk full")
          }
        }
      },
      async (service) => {
        expect((await post(service, "/sms", {}, {})).status).toBe(401)
      }
    ))
})

describe("a line of JSON", () => {
  it("has the message as text, and the fields beside it", () => {
    const lines: Array<unknown> = []
    const logger = Logger.jsonLines((line) => void lines.push(JSON.parse(line)))
    Effect.runSync(
      Effect.logWarning("a guard", "blocks", { place: "+234", message: "mine" }).pipe(
        Effect.annotateLogs("link", "one"),
        Effect.provide(EffectLogger.layer([logger]))
      )
    )
    const head = { timestamp: expect.any(String), level: "warn", message: "a guard blocks" }
    expect(lines).toEqual([{ ...head, place: "+234", link: "one" }])
  })
})
