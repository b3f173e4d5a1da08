/**
 * The phones of the sandbox: set, obeyed, and followed by a long poll and by a stream.
 */
import { type Answer, type CaseOf, group, holds, like, same } from "@watchword/store/checks"
import * as Schema from "effect/Schema"
import { type Fields, ULID, UNKNOWN, badRequest, error, fieldsOf, success } from "./answers.ts"
import { type Client, JSON_TYPE, test } from "./client.ts"

const ordinary = { mode: "auto", call: "ring", sms: "deliver", chatgw: true, bizchat: "deliver", offline: false }

const caller = "+4930901820123"

/** How long a case looks for what follows, in milliseconds. */
const PATIENCE = 20_000

export const phones: ReadonlyArray<CaseOf<Client>> = group("phones of the sandbox", [
  test("are set, looked up, listed and removed", async (client) => {
    const number = client.number()
    error(await client.get(`/sandbox/phones/${number}`), 404, "NOT_FOUND")
    same<unknown>("phone", success(await set(client, number, {})), { number, ...ordinary })
    const other = { mode: "manual", sms: { delay: 20 }, chatgw: false }
    const changed = { number, ...ordinary, ...other }
    same<unknown>("phone that was set", success(await set(client, encodeURIComponent(number), other)), changed)
    same<unknown>("phone that was looked up", success(await client.get(`/sandbox/phones/${number}`)), changed)
    const listed = success(await client.get("/sandbox/phones"))["phones"]
    holds("the list has the phone", Array.isArray(listed) && listed.some((each) => each.number === number))
    for (const _ of ["once", "again"]) same("status", (await remove(client, number)).status, 204)
    error(await client.get(`/sandbox/phones/${number}`), 404, "NOT_FOUND")
  }),

  test("name what is wrong with them", async (client) => {
    const number = client.number()
    for (const method of ["GET", "PUT", "DELETE"]) {
      badRequest(
        await ask(client, method, "/sandbox/phones/4915123456789", method === "PUT" ? {} : undefined),
        "number"
      )
    }
    badRequest(await set(client, number, { mode: "off", call: "sing", chatgw: "yes" }), "mode", "call", "chatgw")
    badRequest(await set(client, number, { sms: { delay: 301 } }), "sms.delay")
    badRequest(await client.get("/sandbox/phones/events?wait=31"), "wait")
    badRequest(await event(client, "messages", UNKNOWN, "eaten"), "event")
    badRequest(await event(client, "calls", UNKNOWN, "delivered"), "event")
    error(await event(client, "messages", UNKNOWN, "delivered"), 404, "NOT_FOUND")
    error(await event(client, "calls", "x", "answer"), 404, "NOT_FOUND")
  }),

  test("need a key with the scope", async ({ ask, credentials, number, target }) => {
    for (const [method, path] of [
      ["GET", "/sandbox/phones"],
      ["GET", "/sandbox/phones/events"],
      ["PUT", `/sandbox/phones/${number()}`],
      ["POST", `/sandbox/messages/${UNKNOWN}/events`],
      ["POST", `/sandbox/phones/${number()}/texts`]
    ] as const) {
      const question = { method, path, ...(method === "GET" ? {} : { body: "{}" }) }
      error(await ask({ ...question, headers: JSON_TYPE }), 401, "UNAUTHORIZED")
      error(await ask({ ...question, headers: { ...JSON_TYPE, ...credentials(target.readKey) } }), 403, "FORBIDDEN")
    }
  }),

  test("have a text wait for a person, which ends once", async (client) => {
    const number = client.number()
    success(await set(client, number, { mode: "manual" }))
    const { uuid } = await sent(client, number)
    const state = { id: uuid, channel: "sms", to: number, state: "delivered", accepts: [], verification: null }
    badRequest(await event(client, "messages", uuid, "read"), "event")
    like("message", success(await event(client, "messages", uuid, "delivered")), state)
    for (const name of ["delivered", "failed"]) {
      same("reason", error(await event(client, "messages", uuid, name), 409, "CONFLICT")["reason"], "ended")
    }
    await remove(client, number)
  }),

  test("keep messages while they are offline, and have them arrive together", async (client) => {
    const number = client.number()
    success(await set(client, number, { offline: true }))
    const ids = [(await sent(client, number)).uuid, (await sent(client, number)).uuid]
    const kept = error(await event(client, "messages", ids[0] ?? "", "delivered"), 409, "CONFLICT")
    same("reason", kept["reason"], "kept")
    success(await set(client, number, {}))
    const messages = await shown(client, (message) => message["to"] === number)
    same<unknown>(
      "states",
      messages.map(({ state }) => state),
      ["delivered", "delivered"]
    )
    same<unknown>(
      "ids",
      messages.map(({ id }) => id),
      ids
    )
    await remove(client, number)
  }),

  test("have no account on chats, and are busy, where that is said of them", async (client) => {
    const number = client.number("0003")
    success(await set(client, number, {}))
    const code = { to: number, code: "123456" }
    success(await client.postJson("/chatgw", code))
    success(await set(client, number, { chatgw: false, bizchat: "none", call: "busy" }))
    error(await client.postJson("/chatgw", code), 404, "NOT_FOUND")
    error(await client.postJson("/bizchat/otp", { to: number, text: "Your code is 123456" }), 404, "NOT_FOUND")
    error(await client.postJson("/call/flash", { callee: number, caller }), 486, "BUSY_HERE")
    await remove(client, number)
    error(await client.postJson("/chatgw", code), 404, "NOT_FOUND")
  }),

  test("answer a call that rings, which ends once", async (client) => {
    const number = client.number()
    const { uuid } = success(await client.postJson("/call/flash", { callee: number, caller }))
    const call = success(await event(client, "calls", String(uuid), "answer"))
    like("call", call, { id: ULID, to: number, code: /^\d{4,8}$/, state: "ended", hangup_cause: "NORMAL_CLEARING" })
    same("reason", error(await event(client, "calls", String(uuid), "decline"), 409, "CONFLICT")["reason"], "ended")
    like("record", success(await client.get(`/call/flash/${String(uuid)}/cdr`)), {
      hangup_cause: "NORMAL_CLEARING",
      sip_status: 200
    })
  }),

  test("write to the service, which verifies their number", async (client) => {
    const number = client.number()
    const workflow = [{ channel: "receive", by: ["bizchat"], timeout: 60, reply: false }]
    const { id, present } = success(await client.postJson("/verifications", { to: number, workflow }))
    const [{ number: to, text } = {}] = Array.isArray(present) ? present : []
    const write = (body: object) => client.postJson(`/sandbox/phones/${number}/texts`, { to, text, ...body })
    badRequest(await write({ to: caller, text: "" }), "text")
    badRequest(await write({ to: caller }), "to")
    badRequest(await client.postJson(`/sandbox/phones/${number}/calls`, { to: caller }), "to")
    same<unknown>("result", success(await write({ text: "Hello" })), { by: "bizchat", result: "unknown" })
    same<unknown>("result", success(await write({})), { by: "bizchat", result: "approved" })
    like("verification", success(await client.get(`/verifications/${String(id)}`)), {
      status: "approved",
      by: "bizchat",
      assurance: "account"
    })
    const login = { verification_id: id }
    const refused = error(await client.postJson(`/sandbox/phones/${number}/logins`, login), 409, "CONFLICT")
    same("reason", refused["reason"], "not_asked")
  }),

  test("are followed by requests that wait", async (client) => {
    const number = client.number()
    const first = success(await client.get("/sandbox/phones/events"))
    same("reset", first["reset"], true)
    const waiting = client.get(`/sandbox/phones/events?wait=30&after=${String(first["cursor"])}`)
    success(await set(client, number, {}))
    const { events, reset } = success(await waiting)
    same("reset", reset, false)
    holds("there is news", Array.isArray(events) && events.length > 0)
    same("reset of an unknown cursor", success(await client.get("/sandbox/phones/events?after=x.1"))["reset"], true)
    await remove(client, number)
  }),

  test("are followed by a stream of server-sent events", async (client) => {
    const number = client.number()
    const stop = new AbortController()
    const headers = { ...client.credentials(), accept: "text/event-stream" }
    const url = `${client.target.baseUrl}/sandbox/phones/events`
    const answer = await fetch(url, { headers, signal: stop.signal })
    same("status", answer.status, 200)
    like("content type", answer.headers.get("content-type") ?? "", /^text\/event-stream/)
    same("cache control", answer.headers.get("cache-control"), "no-store")
    same("buffering", answer.headers.get("x-accel-buffering"), "no")
    const frames = framesOf(answer)
    const first = (await frames.next()).value
    same("reset", first?.data["reset"], true)
    same<unknown>("cursor", first?.data["cursor"], first?.id)
    success(await set(client, number, { mode: "manual" }))
    const { uuid } = await sent(client, number)
    success(await event(client, "messages", uuid, "delivered"))
    const seen = await until(frames, (message) => message["to"] === number && message["state"] === "delivered")
    same<unknown>("message", seen["id"], uuid)
    stop.abort()
    await remove(client, number)
    const refused = await fetch(url, { headers: { ...headers, "last-event-id": "x".repeat(101) } })
    same("status", refused.status, 400)
    await refused.text()
  })
])

const ask = ({ ask, credentials }: Client, method: string, path: string, body?: unknown): Promise<Answer> =>
  ask({
    method,
    path,
    headers: { ...credentials(), ...(body === undefined ? {} : JSON_TYPE) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const set = (client: Client, number: string, phone: object): Promise<Answer> =>
  ask(client, "PUT", `/sandbox/phones/${number}`, phone)

const remove = (client: Client, number: string): Promise<Answer> => ask(client, "DELETE", `/sandbox/phones/${number}`)

const event = (client: Client, what: "messages" | "calls", id: string, event: string): Promise<Answer> =>
  client.postJson(`/sandbox/${what}/${id}/events`, { event })

/** Sends a text, and returns the id of its record. */
const sent = async (client: Client, to: string): Promise<{ readonly uuid: string }> => {
  const { messageId } = success(await client.postJson("/sms", client.message({ to })))
  const { uuid } = success(await client.get(`/sms/${String(messageId)}/sdr`))
  return { uuid: String(uuid) }
}

const isEvents = Schema.is(Schema.Struct({ events: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) }))

/** The messages of some events. */
const messagesOf = (events: unknown): ReadonlyArray<Fields> =>
  isEvents(events) ? events.events.flatMap(({ message }) => (isFields(message) ? [message] : [])) : []

const isFields = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/** The messages that a test chooses, once no message is still under way. */
const shown = async (client: Client, is: (message: Fields) => boolean): Promise<ReadonlyArray<Fields>> => {
  const end = performance.now() + PATIENCE
  for (;;) {
    const messages = messagesOf(fieldsOf(await client.get("/sandbox/phones/events"))).filter(is)
    const isUnderWay = messages.some(({ state }) => state === "kept" || state === "sent")
    if (!isUnderWay || performance.now() > end) return messages
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

interface Frame {
  readonly id: string | undefined
  readonly data: Fields
}

/** The events of a stream; comments are passed over. */
async function* framesOf({ body }: Response): AsyncGenerator<Frame, undefined> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true })
    const parts = text.split("\n\n")
    text = parts.pop() ?? ""
    for (const part of parts) {
      const fields = new Map(
        part
          .split("\n")
          .map((line): [string, string] => [line.split(": ", 1)[0] ?? "", line.slice(line.indexOf(": ") + 2)])
      )
      if (fields.get("event") !== "phones") continue
      yield { id: fields.get("id"), data: JSON.parse(fields.get("data") ?? "null") }
    }
  }
  return undefined
}

/** The first message of a stream that a test chooses. */
const until = async (frames: AsyncGenerator<Frame, undefined>, is: (message: Fields) => boolean): Promise<Fields> => {
  for (;;) {
    const { value } = await frames.next()
    if (value === undefined) throw new Error("the stream has ended")
    const found = messagesOf(value.data).find(is)
    if (found !== undefined) return found
  }
}
