/**
 * Verifications: started, sent again, checked, cancelled, reported and listed.
 */
import { type CaseOf, group, holds, like, same } from "@watchword/store/checks"
import { ULID, UNKNOWN, badRequest, error, success, type Fields } from "./answers.ts"
import { type Client, JSON_TYPE, each, test } from "./client.ts"

const PATH = "/verifications"
const CODE = "739204"
const ID = /^vrf_[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const sms = { channel: "sms", timeout: 60 }
const chat = { channel: "chatgw", timeout: 60 }

const bodyOf = (to: string, more: object = {}) => ({ to, code: CODE, workflow: [sms], ...more })

/** A verification with a code of the client's own, so that the test knows it. */
const started = async ({ number, postJson }: Client, more: object = {}): Promise<Fields> =>
  success(await postJson(PATH, bodyOf(number(), more)))

const pathOf = ({ id }: Fields, action = ""): string => `${PATH}/${String(id)}${action}`

const check = async ({ postJson }: Client, { id }: Fields, code: string): Promise<Fields> =>
  success(await postJson(`${PATH}/check`, { verification_id: id, code }))

export const verifications: ReadonlyArray<CaseOf<Client>> = group("verify", [
  test("a verification is started, and its code is in no answer", async (client) => {
    const { get, number, postJson } = client
    const to = number()
    const answer = await postJson(PATH, bodyOf(to, { client_ref: "user 7", metadata: { cart: "7" } }))
    const verification = success(answer)
    like("verification", verification, {
      id: ID,
      to,
      country: "DE",
      purpose: "default",
      status: "pending",
      channel: "sms",
      step: 1,
      sends_left: 4,
      checks_left: 5,
      resend_at: ISO,
      expires_at: ISO,
      created_at: ISO,
      client_ref: "user 7",
      metadata: { cart: "7" }
    })
    like("attempts", verification["attempts"], [
      { delivery_id: ULID, channel: "sms", status: /^(?:accepted|delivered)$/, at: ISO, price: 0 }
    ])
    same<unknown>(
      "null fields",
      ["reason", "next", "approved_at"].map((field) => verification[field]),
      [null, null, null]
    )
    const found = await get(pathOf(verification))
    like("verification found", success(found), { id: String(verification["id"]), status: "pending" })
    holds("no answer has the code", !`${answer.text}${found.text}`.includes(CODE))
  }),

  test("a wrong code takes a check, the right one approves, once", async (client) => {
    const verification = await started(client)
    like("wrong", await check(client, verification, "000000"), {
      valid: false,
      status: "pending",
      checks_left: 4,
      verification_id: String(verification["id"]),
      channel: "sms"
    })
    like("right", await check(client, verification, CODE), { valid: true, status: "approved", checks_left: 3 })
    const again = { verification_id: verification["id"], code: CODE }
    error(await client.postJson(`${PATH}/check`, again), 409, "CONFLICT")
    like("record", success(await client.get(pathOf(verification))), { status: "approved", approved_at: ISO })
  }),

  test("a verification is checked by its number and purpose", async (client) => {
    const to = client.number()
    const { id } = success(await client.postJson(PATH, bodyOf(to, { purpose: "sign-in" })))
    const asked = (more: object) => client.postJson(`${PATH}/check`, { to, code: CODE, ...more })
    error(await asked({}), 404, "NOT_FOUND")
    like("answer", success(await asked({ purpose: "sign-in" })), { valid: true, verification_id: String(id) })
  }),

  test("no guess is left after the last, and the verification has failed", async (client) => {
    const verification = await started(client, { max_checks: 2 })
    await check(client, verification, "000000")
    like("last", await check(client, verification, "000001"), { valid: false, status: "failed", checks_left: 0 })
    const answer = await client.postJson(`${PATH}/check`, { verification_id: verification["id"], code: CODE })
    like("reason", error(answer, 429, "TOO_MANY_REQUESTS"), { reason: /\w/ })
    like("record", success(await client.get(pathOf(verification))), { status: "failed", reason: "max_checks" })
  }),

  test("a check is answered again under its idempotency key, and takes no check", async (client) => {
    const verification = await started(client)
    const asked = (code: string) => {
      const headers = { "Idempotency-Key": `${String(verification["id"])}-${code}` }
      return client.postJson(`${PATH}/check`, { verification_id: verification["id"], code }, headers)
    }
    const wrong = success(await asked("000000"))
    same<unknown>("wrong again", success(await asked("000000")), wrong)
    const right = success(await asked(CODE))
    same<unknown>("right again", success(await asked(CODE)), right)
    like("right", right, { valid: true, status: "approved", checks_left: 3 })
  }),

  test("a start is answered again under its idempotency key", async ({ number, postJson }) => {
    const headers = { "Idempotency-Key": globalThis.crypto.randomUUID() }
    const to = number()
    const first = success(await postJson(PATH, bodyOf(to), headers))
    same<unknown>("id", success(await postJson(PATH, bodyOf(to), headers))["id"], first["id"])
    error(await postJson(PATH, bodyOf(number()), headers), 409, "CONFLICT")
  }),

  test("a start is a conflict under its correlation id, unless the first has failed", async ({ number, postJson }) => {
    const headers = { "x-request-id": globalThis.crypto.randomUUID() }
    const to = number()
    success(await postJson(PATH, bodyOf(to), headers))
    error(await postJson(PATH, bodyOf(to), headers), 409, "CONFLICT")
    const unreachable = number("0480")
    for (const _ of [1, 2]) {
      error(await postJson(PATH, bodyOf(unreachable), headers), 480, "TEMPORARY_UNAVAILABLE")
    }
  }),

  test("a second start waits for the resend interval, and says how long", async ({ number, postJson }) => {
    const to = number()
    success(await postJson(PATH, bodyOf(to)))
    const answer = await postJson(PATH, bodyOf(to))
    const { reason, retry_after } = error(answer, 429, "TOO_MANY_REQUESTS")
    same("reason", reason, "resend_too_soon")
    like("seconds", retry_after, Number.isInteger)
    error(await postJson(PATH, bodyOf(to, { code: "111111" })), 409, "CONFLICT")
  }),

  ...each(
    [
      ["0402", 402, "PAYMENT_REQUIRED"],
      ["0480", 480, "TEMPORARY_UNAVAILABLE"],
      ["0503", 503, "SERVICE_UNAVAILABLE"]
    ] as const,
    ([digits, status]) => `a start of which no step can be taken, to …${digits}, is answered ${status}`,
    async ({ number, postJson }, [digits, status, code]) => {
      error(await postJson(PATH, bodyOf(number(digits))), status, code)
    }
  ),

  test("a step that is refused is followed by the next at once", async ({ number, postJson }) => {
    const verification = success(await postJson(PATH, bodyOf(number("0003"), { workflow: [chat, sms] })))
    like("verification", verification, { status: "pending", channel: "sms", step: 2 })
    like("attempts", verification["attempts"], [
      { channel: "chatgw", status: "undelivered", price: 0 },
      { channel: "sms", delivery_id: ULID }
    ])
  }),

  test("a verification without a further step goes to none", async (client) => {
    const verification = await started(client)
    error(await client.post(pathOf(verification, "/next"), undefined), 409, "CONFLICT")
    error(await client.postJson(pathOf(verification, "/next"), { channel: "bizchat" }), 409, "CONFLICT")
    const again = await client.postJson(pathOf(verification, "/next"), { channel: "sms" })
    like("reason", error(again, 429, "TOO_MANY_REQUESTS"), { reason: "resend_too_soon" })
  }),

  test("a verification is cancelled, and stays so", async (client) => {
    const verification = await started(client)
    for (const _ of [1, 2]) {
      like("answer", success(await client.post(pathOf(verification, "/cancel"), undefined)), { status: "canceled" })
    }
    like("check", await check(client, verification, CODE), { valid: false, status: "canceled" })
    error(await client.postJson(pathOf(verification, "/next"), {}), 409, "CONFLICT")
    success(await client.postJson(PATH, bodyOf(String(verification["to"]))))
  }),

  test("a verification that is approved is not cancelled", async (client) => {
    const verification = await started(client)
    await check(client, verification, CODE)
    error(await client.post(pathOf(verification, "/cancel"), undefined), 409, "CONFLICT")
  }),

  ...each(
    [
      ["approved", "failed"],
      ["failed", "approved"]
    ] as const,
    ([status]) => `an outcome is reported: ${status}`,
    async (client, [status, other]) => {
      const verification = await started(client)
      const report = (status: string) => client.postJson(pathOf(verification, "/report"), { status })
      for (const _ of [1, 2]) like("answer", success(await report(status)), { status })
      error(await report(other), 409, "CONFLICT")
    }
  ),

  test("verifications are listed", async (client) => {
    const verification = await started(client)
    await check(client, verification, CODE)
    const filter = { to: verification["to"], status: "approved" }
    const page = success(await client.postJson(`${PATH}/list`, { filter }))
    same<unknown>("page", page["list"], [success(await client.get(pathOf(verification)))])
    const none = success(await client.postJson(`${PATH}/list`, { filter: { ...filter, status: "pending" } }))
    same("total", none["total"], 0)
    badRequest(await client.postJson(`${PATH}/list`, { filter: { code: CODE } }), "filter.code")
    badRequest(await client.postJson(`${PATH}/list`, { filters: filter }), "filters")
  }),

  ...each(
    [`vrf_${UNKNOWN}`, UNKNOWN, "constructor", "check"],
    (id) => `there is no verification ${id}`,
    async ({ get, postJson }, id) => {
      error(await get(`${PATH}/${id}`), 404, "NOT_FOUND")
      error(await postJson(`${PATH}/${id}/next`, {}), 404, "NOT_FOUND")
      error(await postJson(`${PATH}/${id}/cancel`, {}), 404, "NOT_FOUND")
      error(await postJson(`${PATH}/${id}/report`, { status: "failed" }), 404, "NOT_FOUND")
    }
  ),

  ...each(
    [
      ["", { to: "0151" }, "to"],
      ["", { to: "+4915123456789", workflow: [{ channel: "fax", timeout: 30 }] }, "workflow[0].channel"],
      ["", { to: "+4915123456789", workflow: "no-such-workflow" }, "workflow"],
      ["", { to: "+4915123456789", template: "no-such-template" }, "template"],
      ["", { to: "+4915123456789", ttl: 59 }, "ttl"],
      ["/check", { to: "+4915123456789" }, "code"],
      ["/check", { code: CODE }, "verification_id"],
      ["", { to: "+4915123456789", channel: "call" }, "channel"],
      ["", { to: "+4915123456789", workflow: [{ channel: "sms", timeout: 30, after: 1 }] }, "workflow[0].after"],
      ["/check", { to: "+4915123456789", code: CODE, token: CODE }, "token"],
      [`/vrf_${UNKNOWN}/next`, { channel: "fax" }, "channel"],
      [`/vrf_${UNKNOWN}/next`, { chanel: "sms" }, "chanel"],
      [`/vrf_${UNKNOWN}/report`, { status: "failed", why: "" }, "why"],
      [`/vrf_${UNKNOWN}/report`, {}, "status"],
      [`/vrf_${UNKNOWN}/report`, { status: "expired" }, "status"]
    ] as const,
    ([path, body]) => `${PATH}${path} does not take ${JSON.stringify(body)}`,
    async ({ postJson }, [path, body, field]) => {
      badRequest(await postJson(PATH + path, body), field)
    }
  ),

  ...each(
    [
      ["POST", PATH],
      ["POST", `${PATH}/check`],
      ["POST", `${PATH}/list`],
      ["GET", `${PATH}/vrf_${UNKNOWN}`],
      ["POST", `${PATH}/vrf_${UNKNOWN}/next`],
      ["POST", `${PATH}/vrf_${UNKNOWN}/cancel`],
      ["POST", `${PATH}/vrf_${UNKNOWN}/report`]
    ] as const,
    ([method, path]) => `${method} ${path} needs a key, and one with the scope`,
    async ({ ask, credentials, target }, [method, path]) => {
      const question = { method, path, ...(method === "POST" ? { body: "{}" } : {}) }
      error(await ask({ ...question, headers: JSON_TYPE }), 401, "UNAUTHORIZED")
      const reading = { ...JSON_TYPE, ...credentials(target.readKey) }
      error(await ask({ ...question, headers: reading }), 403, "FORBIDDEN")
    }
  )
])
