/**
 * Deliveries of any channel: sent, found, listed, reported, and sent once.
 */
import { type CaseOf, group, holds, like, same } from "@watchword/store/checks"
import { UNKNOWN, badRequest, error, success } from "./answers.ts"
import type { Channel } from "./channels.ts"
import { type Client, each, test } from "./client.ts"

const failures = [
  ["0402", 402, "PAYMENT_REQUIRED"],
  ["0480", 480, "TEMPORARY_UNAVAILABLE"],
  ["0503", 503, "SERVICE_UNAVAILABLE"]
] as const

export const sends = (channel: Channel): ReadonlyArray<CaseOf<Client>> => {
  const { id, outcomes, paths, recipient, request } = channel

  const send = async (client: Client, to = client.number()): Promise<string> =>
    String(success(await client.postJson(paths.send, request(to)))[id.field])
  const report = (client: Client, of: unknown, status: unknown) =>
    client.postJson(paths.report, { [id.reportedAs]: of, status })

  return group(channel.name, [
    test("a delivery is sent, found, listed and reported", async (client) => {
      const to = client.number()
      const sent = success(await client.postJson(paths.send, request(to)))
      like("answer", sent, { [id.field]: id.pattern, ...channel.sent(to) })
      const name = String(sent[id.field])

      const record = success(await client.get(paths.record(name)))
      like("record", record, { [id.field]: name, ...channel.recorded(to) })

      const page = success(await client.postJson(paths.list, { filter: { [recipient]: to, [id.field]: name } }))
      const ends = { total: 1, total_pages: 1, has_next_page: false, has_previous_page: false }
      like("page", page, { ...ends, list: [{ [id.field]: name, [recipient]: to }] })

      const [good, recorded] = outcomes.good
      for (const _ of ["first", "again"]) {
        const reported = success(await report(client, name, good))
        same<unknown>("report", reported, { message: "OK", [id.reportedAs]: name, status: recorded })
      }
      error(await report(client, name, outcomes.bad[0]), 409, "CONFLICT")
    }),

    test("a delivery may be reported as failed", async (client) => {
      const name = await send(client, client.number("0001"))
      const [bad, recorded] = outcomes.bad
      like("report", success(await report(client, name, bad)), { [id.reportedAs]: name, status: recorded })
      error(await report(client, name, outcomes.good[0]), 409, "CONFLICT")
    }),

    ...each(
      [...failures, ...channel.failures],
      ([digits, status]) => `a send to …${digits} is answered ${status}`,
      async ({ number, postJson }, [digits, status, code]) => {
        error(await postJson(paths.send, request(number(digits))), status, code)
      }
    ),

    test("a request is not sent twice under one correlation id", async ({ number, postJson }) => {
      const headers = { "x-request-id": globalThis.crypto.randomUUID() }
      const body = request(number())
      success(await postJson(paths.send, body, headers))
      const { reason } = error(await postJson(paths.send, body, headers), 409, "CONFLICT")
      same("reason", reason, "duplicate_request")
      success(await postJson(paths.send, request(number()), headers))
    }),

    test("a request is answered again under its idempotency key", async ({ number, postJson }) => {
      const headers = { "Idempotency-Key": globalThis.crypto.randomUUID() }
      const body = request(number())
      const first = await postJson(paths.send, body, headers)
      success(first)
      same("second answer", (await postJson(paths.send, body, headers)).text, first.text)
      const { reason } = error(await postJson(paths.send, request(number()), headers), 409, "CONFLICT")
      same("reason", reason, "key_reused")
    }),

    ...each(
      ["", " ", "a b", "é", "k".repeat(256)],
      (key) => `a request cannot have the idempotency key ${JSON.stringify(key)}`,
      async ({ number, postJson }, key) => {
        badRequest(await postJson(paths.send, request(number()), { "Idempotency-Key": key }), "Idempotency-Key")
      }
    ),

    ...each(
      [...wrongNumbers.map((to) => [{ [recipient]: to }, recipient] as const), ...channel.wrong],
      ([change]) => `a request is 400 with ${shown(change)}`,
      async ({ number, postJson }, [change, field]) => {
        const answer = await postJson(paths.send, { ...request(number()), ...change })
        const { issues, message } = badRequest(answer, field)
        holds("an error must not repeat the code", !/739|123456/.test(JSON.stringify([issues, message])))
      }
    ),

    ...each(
      [...channel.fine, { sandbox: false, price: -1, uuid: "mine", __proto__x: {} }],
      (change) => `a request is sent with ${shown(change)}`,
      async ({ number, postJson }, change) => {
        const to = number()
        like("answer", success(await postJson(paths.send, { ...request(to), ...change })), { [id.field]: id.pattern })
      }
    ),

    ...each(
      [...channel.wrongStatuses, "", null, 1],
      (status) => `no report has the status ${JSON.stringify(status)}`,
      async (client, status) => {
        badRequest(await report(client, UNKNOWN, status), "status")
      }
    ),

    test("a report may have fields of other services", async (client) => {
      const [status, recorded] = outcomes.good
      const body = { [id.reportedAs]: await send(client), status, MessageStatus: status, constructor: 1 }
      like("report", success(await client.postJson(paths.report, body)), { status: recorded })
    }),

    test("a report needs an id and a status", async ({ postJson }) => {
      const [status] = outcomes.good
      badRequest(await postJson(paths.report, { status }), id.reportedAs)
      badRequest(await postJson(paths.report, { [id.reportedAs]: 1, status }), id.reportedAs)
      badRequest(await postJson(paths.report, { [id.reportedAs]: UNKNOWN }), "status")
    }),

    ...each(
      ["", "nothing", UNKNOWN, "\0", "constructor"],
      (name) => `no delivery ${JSON.stringify(name)} is reported`,
      async (client, name) => {
        error(await report(client, name, outcomes.good[0]), 404, "NOT_FOUND")
      }
    ),

    ...each(
      ["%00", "..%2f..", "%F0%9F%92%A9", UNKNOWN, `${UNKNOWN}0`, "0199a1c6", "'--", "a".repeat(99)],
      (name) => `there is no record ${name}`,
      async ({ get }, name) => {
        error(await get(paths.record(name)), 404, "NOT_FOUND")
      }
    ),

    ...each(
      ["%ZZ", "a".repeat(3000)],
      (name) => `no record can have the name ${name.slice(0, 9)}`,
      async ({ get, noRecord }, name) => {
        const path = paths.record(name)
        noRecord(await get(path), path)
      }
    )
  ])
}

const wrongNumbers = [undefined, null, "4915123456789", "0151", "+0151", "+4912", 4_915_123_456_789, ["+4915123456789"]]

const shown = (value: unknown): string =>
  (JSON.stringify(value, (_, member: unknown) => (member === undefined ? "nothing" : member)) ?? "").slice(0, 60)
