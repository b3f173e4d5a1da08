import * as client from "@watchword/client"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import {
  type Options,
  BadRequest,
  ServiceUnavailable,
  WatchwordError,
  createWatchword,
  isWatchwordError,
  memory
} from "watchword"

const store = { store: memory() }
const message = { to: "+4915123456789", text: "Your code is 123456" }

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail("it resolved"),
    (error: unknown) => error
  )

/** Calls a function as a program without types may. */
const called = async (method: (...args: ReadonlyArray<never>) => unknown, ...args: ReadonlyArray<unknown>) => {
  await Reflect.apply(method, undefined, args)
}

const withService = async <A>(options: Options, use: (service: Awaited<ReturnType<typeof createWatchword>>) => A) => {
  const service = await createWatchword(options)
  try {
    return await use(service)
  } finally {
    await service.dispose()
  }
}

describe("a rejection", () => {
  it("is an error of one base class, with a code and a status", () =>
    withService(store, async ({ operator, sms }) => {
      const { account_id: account } = await operator.account.create()
      const error = await rejection(sms.send(account, { to: "0151", text: "hi" }))
      expect(error).toBeInstanceOf(WatchwordError)
      expect(error).toBeInstanceOf(BadRequest)
      expect(error).toBeInstanceOf(Error)
      expect(error).toMatchObject({ code: "BAD_REQUEST", name: "BAD_REQUEST", status: 400, statusCode: 400 })
      expect(inspect(error)).toMatch(/^BAD_REQUEST: [^]*\n +at [^]*issues: [^]*path: 'to'/)
      expect(Object.hasOwn(Object(error), "_tag")).toBe(false)
    }))

  it("is of the classes that the client rejects with", () =>
    withService(store, async ({ operator, sms }) => {
      const { account_id: account } = await operator.account.create()
      const error = await rejection(sms.get(account, "unknown"))
      expect(error).toBeInstanceOf(client.NotFound)
      expect(error).toBeInstanceOf(client.WatchwordError)
      expect([client.isWatchwordError(error), isWatchwordError(error)]).toEqual([true, true])
      expect(isWatchwordError(new client.TimedOut("No answer within 5 ms."))).toBe(true)
      expect([isWatchwordError(new Error("of the app")), isWatchwordError(null)]).toEqual([false, false])
    }))

  it("has the reason, the seconds and the rest of a limit", () =>
    withService(store, async ({ operator, verify }) => {
      const { account_id: account } = await operator.account.create()
      const caller = { account, sandbox: true }
      const { id } = await verify.start(caller, { to: message.to })
      const error = await rejection(verify.resend(caller, id))
      if (!isWatchwordError(error) || error.code !== "TOO_MANY_REQUESTS") return expect.fail(String(error))
      expect(error.reason).toBe("resend_too_soon")
      expect(error.retryAfter).toBeGreaterThan(0)
    }))

  it.each([
    [new BadRequest("to is required."), true],
    [new ServiceUnavailable("The service has stopped."), false]
  ])("is an http-error to Nest and Koa: %s", (error, expose) => {
    // Nest takes for one an Error with these three, and answers with its message where it is exposed.
    expect(error).toBeInstanceOf(Error)
    expect({ expose: error.expose, status: error.status }).toEqual({ expose, status: error.statusCode })
  })

  it("names an account that is left out", () =>
    withService(store, async ({ sms }) => {
      for (const caller of [undefined, null, 7, {}]) {
        expect(await rejection(called(sms.send, caller, message))).toMatchObject({
          status: 400,
          issues: [{ path: "account" }]
        })
      }
    }))

  it("says that the service has stopped, after its end", async () => {
    const service = await createWatchword(store)
    await service.dispose()
    for (const call of [
      service.sms.send("acc", message),
      service.operator.account.list().then(({ accounts }) => accounts)
    ]) {
      const error = await rejection(call)
      expect(error).toBeInstanceOf(ServiceUnavailable)
      expect(error).toMatchObject({ status: 503, message: "The service has stopped." })
    }
  })

  it("of a start names the store that is missing", async () => {
    for (const options of [undefined, {}, { store: "sqlite:watchword.db" }]) {
      expect(await rejection(called(createWatchword, options))).toMatchObject({
        message: expect.stringContaining("option store")
      })
    }
  })

  it("of a start names an option that there is not", async () => {
    const error = await rejection(called(createWatchword, { ...store, chat: memory() }))
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: expect.stringMatching(/no option chat; it has .*\bchatgw\b/) })
  })
})
