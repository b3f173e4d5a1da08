/**
 * The whole path of a live message: HTTP, key, balance, SQLite, SMPP, receipt, record; and what each fault
 * of the carrier does to the answer, the record and the ledger.
 */
import { until } from "../../../test/until.ts"
import { type Serving, serve } from "@watchword/node"
import * as Smpp from "@watchword/sms/smpp"
import { sqlite } from "@watchword/store-sqlite"
import * as Result from "effect/Result"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { type Watchword, createWatchword } from "watchword"
import { type Submit, smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { type Answer, entriesOf, newestOf, request } from "./client.ts"

const folder = folderForEach()
let file: string
let carrier: Smsc
let service: Watchword
let serving: Serving
let account: string
let key: string

beforeEach(async () => {
  file = folder.file("test.db")
  carrier = await smsc()
  await begin(carrier.url("timeout=0.5"))
  account = (await service.operator.account.create({ name: "Acme", sms_sender: "Acme", store_text: true })).account_id
  await service.operator.account.credit({ account_id: account, amount: "1" })
  key = (await service.operator.key.create({ account_id: account })).key
})

afterEach(async () => {
  await end()
  await carrier.stop()
})

const begin = async (urls: string): Promise<void> => {
  const options = Result.getOrThrow(Smpp.fromUrls(urls))
  service = await createWatchword({
    store: sqlite(file),
    sms: Smpp.layer({ ...options, deadline: "2500 millis", drain: "1 second" }),
    prices: { sms: { "*": "0.05", "44": "0.04" } }
  })
  serving = await serve(service, { basePath: "/v1", port: 0 })
}

const end = async (): Promise<void> => {
  await serving.close()
  await service.dispose()
}

const call = (path: string, body?: object): Promise<Answer> => request({ port: serving.port, account, key }, path, body)

const send = (text: string, to = "+4915123456789") => call("/sms", { to, text })

/** The newest record as the interface shows it. */
const newest = async () => newestOf(await call("/sms/sdr", { sort_by: "created_at", rows_per_page: 1 }))

const becomes = (status: string) => until(newest, (record) => record?.status === status)

const ledger = () => entriesOf(file, account)

/** The traces of a fault. */
const outcome = async (answer: Answer) => ({
  answer: [answer.status, answer.body["error"]],
  record: (await newest())?.status,
  entries: await ledger()
})

const textsOf = (submits: ReadonlyArray<Submit>) => submits.map(({ text }) => text)

describe("a message", () => {
  it("goes out in one part, and its receipt makes it delivered", async () => {
    carrier.script.receipt = (submit) => receipt(submit, "DELIVRD", 20)
    const answer = await send("Your code is 123456")
    expect(answer).toMatchObject({ status: 200, body: { from: "Acme", to: "+4915123456789" } })
    expect(await becomes("delivered")).toMatchObject({ messageId: answer.body["messageId"], parts: 1, price: 0.05 })
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0.95,
      held: 0,
      available: 0.95
    })
    expect(carrier.submits[0]).toMatchObject({ to: "4915123456789", from: "Acme", text: "Your code is 123456" })
  })

  it("goes out in GSM parts that are priced each, cheaper where a prefix says so", async () => {
    carrier.script.receipt = (submit) => receipt(submit, "DELIVRD", 20)
    const text = "€[{" + "Ä".repeat(301)
    expect((await send(text, "+447700900123")).status).toBe(200)
    expect(await becomes("delivered")).toMatchObject({ parts: 3, price: 0.12 })
    expect(textsOf(carrier.submits).join("")).toBe(text)
    expect(carrier.submits.map(({ part }) => part?.slice(1))).toEqual([
      [3, 1],
      [3, 2],
      [3, 3]
    ])
    expect((await service.operator.account.show({ account_id: account })).available).toBe(0.88)
  })

  it("goes out in UCS-2 parts when it has other characters, and is undelivered when one part is", async () => {
    carrier.script.receipt = (submit) =>
      receipt(submit, submit.part?.[2] === 2 ? "UNDELIV" : "DELIVRD", submit.part?.[2] === 2 ? 60 : 10)
    const text = "Ваш код 123456 🔐 ".repeat(9)
    expect((await send(text)).status).toBe(200)
    expect(await becomes("undelivered")).toMatchObject({ parts: 3 })
    expect(textsOf(carrier.submits).join("")).toBe(text)
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it("finds its receipt when that comes before the answer, twice, or spelt otherwise", async () => {
    carrier.script.submit = () => ({ id: "00002F", after: 60 })
    carrier.script.receipt = null
    const sending = send("Your code is 123456")
    await carrier.until(() => carrier.submits.length === 1)
    const [submit] = carrier.submits
    if (submit === undefined) throw new Error("nothing was submitted")
    for (const id of ["47", "0047"]) carrier.deliver(receipt({ ...submit, id, reference: null }).fields, submit)
    await carrier.until(() => carrier.acknowledgements.length === 2)
    expect((await sending).status).toBe(200)
    await becomes("delivered")
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it("is refused without the balance for it: a hundred at once on a balance for ten", async () => {
    const twoParts = "a".repeat(200)
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(twoParts)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(90)
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0,
      held: 0,
      available: 0
    })
    expect(carrier.submits).toHaveLength(20)
  })
})

describe("when the carrier", () => {
  it("drops the connection after a message was written, its outcome is unknown until a receipt settles it", async () => {
    carrier.script.submit = ({ session }) => {
      setImmediate(() => session.socket.destroy())
      return "silence"
    }
    expect(await outcome(await send("one"))).toEqual({
      answer: [503, "SERVICE_UNAVAILABLE"],
      record: "sent",
      entries: ["hold"]
    })
    const [submit] = carrier.submits
    if (submit === undefined) throw new Error("nothing was submitted")
    carrier.deliver(receipt({ ...submit, id: "late-1" }).fields, null)
    await becomes("delivered")
    expect(await ledger()).toEqual(["hold", "settle"])
    expect(carrier.submits).toHaveLength(1)
  })

  it("never answers, it is 480 and unknown, and a late answer settles it", async () => {
    carrier.script.submit = () => ({ after: 900 })
    expect(await outcome(await send("one"))).toEqual({
      answer: [480, "TEMPORARY_UNAVAILABLE"],
      record: "sent",
      entries: ["hold"]
    })
    expect(await until(ledger, (entries) => entries.length > 1)).toEqual(["hold", "settle"])
    expect((await newest())?.status).toBe("sent")
    expect(carrier.submits).toHaveLength(1)
  })

  it("throttles for a moment, the message is sent a moment later", async () => {
    let times = 0
    carrier.script.submit = () => ({ status: times++ === 0 ? 0x58 : 0 })
    expect((await send("one")).status).toBe(200)
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it.each([
    ["throttles until the deadline", 0x58, 480, "TEMPORARY_UNAVAILABLE"],
    ["has a full queue until the deadline", 0x14, 480, "TEMPORARY_UNAVAILABLE"],
    ["does not know the number", 0x0b, 400, "BAD_REQUEST"],
    ["does not allow the sender", 0x0a, 400, "BAD_REQUEST"]
  ])("%s, the message failed and is paid back", async (_, status, code, error) => {
    carrier.script.submit = () => ({ status })
    expect(await outcome(await send("one"))).toEqual({
      answer: [code, error],
      record: "failed",
      entries: ["hold", "release"]
    })
    expect((await service.operator.account.show({ account_id: account })).available).toBe(1)
  })

  it("refuses one part of three, the message failed as a whole and is charged, because it took the others", async () => {
    carrier.script.submit = ({ part }) => ({ status: part?.[2] === 2 ? 0x0b : 0 })
    const answer = await send("a".repeat(400))
    expect(await outcome(answer)).toEqual({
      answer: [400, "BAD_REQUEST"],
      record: "failed",
      entries: ["hold", "settle"]
    })
  })

  it("does not let the client in, nothing is charged", async () => {
    await end()
    carrier.script.bind = () => 0x0e
    await begin(carrier.url())
    expect(await outcome(await send("one"))).toEqual({
      answer: [503, "SERVICE_UNAVAILABLE"],
      record: "failed",
      entries: ["hold", "release"]
    })
  })

  it("is down, messages leave by the next; and by the first again when it is back", async () => {
    const second = await smsc()
    await end()
    await begin(`${carrier.url()},${second.url()}`)
    expect((await send("one")).status).toBe(200)
    const port = carrier.port
    await carrier.stop()
    expect((await send("two")).status).toBe(200)
    carrier = await smsc({ port })
    await carrier.until(() => carrier.bound.length === 1)
    expect((await send("three")).status).toBe(200)
    expect(textsOf(second.submits)).toEqual(["two"])
    expect(textsOf(carrier.submits)).toEqual(["three"])
    await end()
    await second.stop()
    await begin(carrier.url())
  })
})

it("finishes what is in flight when it is stopped", async () => {
  carrier.script.submit = () => ({ after: 200 })
  const sending = send("one")
  await carrier.until(() => carrier.submits.length === 1)
  await end()
  expect((await sending).status).toBe(200)
  await begin(carrier.url())
  expect(await ledger()).toEqual(["hold", "settle"])
})
