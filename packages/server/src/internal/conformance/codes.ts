/**
 * Codes over chat: probes, codes that are entered, and codes that are revoked.
 */
import { type CaseOf, group, like, same } from "@watchword/store/checks"
import { type Fields, badRequest, error, fieldsOf, success } from "./answers.ts"
import { type Client, each, test } from "./client.ts"

const CODE = "73920481"
const PROBE = "/chatgw/check-send-ability"
const CHECK = "/chatgw/check-verification-status"
const REVOKE = "/chatgw/revoke-verification"

const send = async ({ postJson }: Client, to: string): Promise<Fields> =>
  success(await postJson("/chatgw", { to, code: CODE }))
const check = async ({ postJson }: Client, request_id: unknown, code?: string): Promise<Fields> =>
  success(await postJson(CHECK, { request_id, ...(code === undefined ? {} : { code }) }))
const record = async ({ get }: Client, uuid: unknown): Promise<Fields> =>
  success(await get(`/chatgw/${String(uuid)}/tdr`))

export const codes: ReadonlyArray<CaseOf<Client>> = group("chatgw", [
  test("a probe says that a number is reachable, and is spent by the send", async (client) => {
    const to = client.number()
    const probe = success(await client.postJson(PROBE, { to }))
    like("probe", probe, {
      request_id: /./,
      phone_number: to,
      request_cost: 0,
      is_refunded: false,
      remaining_balance: Number.isFinite,
      delivery_status: { status: "sent", updated_at: Number.isInteger }
    })
    same("request id of the send", (await send(client, to))["request_id"], probe["request_id"])
  }),

  ...each(
    [
      ["0402", 402, "PAYMENT_REQUIRED"],
      ["0480", 480, "TEMPORARY_UNAVAILABLE"],
      ["0503", 503, "SERVICE_UNAVAILABLE"]
    ] as const,
    ([digits, status]) => `a probe of …${digits} is answered ${status}`,
    async ({ number, postJson }, [digits, status, code]) => {
      error(await postJson(PROBE, { to: number(digits) }), status, code)
    }
  ),

  test("a probe of a number without an account is refunded", async ({ number, postJson }) => {
    const to = number("0003")
    const probe = success(await postJson(PROBE, { to }))
    like("probe", probe, { phone_number: to, is_refunded: true, delivery_status: { status: "failed" } })
  }),

  test("a probe is answered again under its idempotency key", async ({ number, postJson }) => {
    const headers = { "Idempotency-Key": globalThis.crypto.randomUUID() }
    const to = number()
    const first = success(await postJson(PROBE, { to }, headers))
    same<unknown>("second answer", success(await postJson(PROBE, { to }, headers)), first)
    error(await postJson(PROBE, { to: number() }, headers), 409, "CONFLICT")
  }),

  test("a code is entered, wrong and right", async (client) => {
    const to = client.number()
    const { request_id, uuid } = await send(client, to)
    same<unknown>("status before", await check(client, request_id), { request_id, verification_status: null })
    for (const [code, status] of [
      ["0000", "code_invalid"],
      [CODE, "code_valid"],
      ["0000", "code_valid"]
    ] as const) {
      const entered = await check(client, request_id, code)
      like("status", entered, {
        request_id: String(request_id),
        verification_status: { status, updated_at: Number.isInteger }
      })
      same<unknown>("status of the record", (await record(client, uuid))["verification_status"], status)
    }
    const list = success(await client.postJson("/chatgw/tdr", { filter: { to, verification_status: "code_valid" } }))
    same<unknown>("list", list["list"], [await record(client, uuid)])
  }),

  test("a code is no longer valid after three wrong ones", async (client) => {
    const { request_id } = await send(client, client.number())
    const over = "code_max_attempts_exceeded"
    for (const [code, status] of [
      ["0000", "code_invalid"],
      ["1111", "code_invalid"],
      ["2222", over],
      [CODE, over]
    ] as const) {
      like("status", await check(client, request_id, code), { verification_status: { status } })
    }
  }),

  test("a code is taken back once", async (client) => {
    const { remaining_balance, request_id, uuid } = await send(client, client.number())
    const revoked = success(await client.postJson(REVOKE, { request_id }))
    same<unknown>("answer", revoked, { request_id, is_refunded: true, remaining_balance })
    like("record", await record(client, uuid), { status: "REVOKED", delivery_status: "revoked", is_refunded: true })
    error(await client.postJson(REVOKE, { request_id }), 409, "CONFLICT")
  }),

  test("a code that was entered is not refunded", async (client) => {
    const { request_id } = await send(client, client.number())
    await check(client, request_id, CODE)
    like("answer", success(await client.postJson(REVOKE, { request_id })), { is_refunded: false })
  }),

  ...each(
    [
      [CHECK, { request_id: "none" }],
      [CHECK, { request_id: "none", code: CODE }],
      [CHECK, { request_id: "💩\u0000'--" }],
      [REVOKE, { request_id: "none" }],
      [REVOKE, { request_id: "constructor" }]
    ] as const,
    ([path, body]) => `${path} has no request ${JSON.stringify(body)}`,
    async ({ postJson }, [path, body]) => {
      error(await postJson(path, body), 404, "NOT_FOUND")
    }
  ),

  ...each(
    [
      [PROBE, { to: 4_915_123_456_789 }, "to"],
      [CHECK, { request_id: "" }, "request_id"],
      [CHECK, { request_id: 5 }, "request_id"],
      [CHECK, { request_id: "r".repeat(257) }, "request_id"],
      [CHECK, { request_id: "none", code: "739" }, "code"],
      [CHECK, { request_id: "none", code: null }, "code"],
      [REVOKE, { request_id: {} }, "request_id"]
    ] as const,
    ([path, body]) => `${path} does not take ${JSON.stringify(body).slice(0, 60)}`,
    async ({ postJson }, [path, body, field]) => {
      badRequest(await postJson(path, body), field)
    }
  ),

  ...each(
    [PROBE, CHECK, REVOKE],
    (path) => `${path} needs a key with the scope, and then a body`,
    async ({ credentials, post, postJson, target, unreadable }, path) => {
      error(await postJson(path, {}, credentials(`${target.key}x`)), 401, "UNAUTHORIZED")
      error(await postJson(path, {}, credentials(target.readKey)), 403, "FORBIDDEN")
      unreadable(await post(path, '{"to":'))
      const { issues } = fieldsOf(await postJson(path, {}))
      same("whether there are issues", Array.isArray(issues) && issues.length > 0, true)
    }
  )
])
