import { AccountId, KeyId, firstUlid } from "@watchword/schemas/Ids"
import { type RefusedRequest, Store } from "@watchword/store/Store"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { requests } from "../../src/commands/RequestsCommand.ts"
import { onSqlite } from "./onSqlite.ts"

const { ask, read, run } = onSqlite()

const NOW = Date.UTC(2027, 0, 15, 12)
const ACCOUNT = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
const KEY = KeyId.make("key_01KAJ3T8ZZ0000000000000000")
const REQUEST_ID = "0199a1c6-2f00-8000-8000-000000000000"

/** A request that was refused so many seconds ago. */
const refused = (ago: number, fields: Partial<RefusedRequest> = {}): RefusedRequest => ({
  id: firstUlid(NOW - ago * 1_000),
  account: ACCOUNT,
  mode: "live",
  key: KEY,
  operation: "POST /verifications",
  status: 429,
  code: "TOO_MANY_REQUESTS",
  reason: "limit_number",
  requestId: REQUEST_ID,
  client: "192.0.2.1",
  number: "+491********89",
  count: 1,
  ...fields
})

const flood = (ago: number) =>
  refused(ago, {
    account: null,
    mode: null,
    key: null,
    status: 401,
    code: "UNAUTHORIZED",
    reason: "the key is unknown or revoked",
    requestId: null,
    client: null,
    number: null,
    count: 4_000
  })

const keep = (...rows: ReadonlyArray<RefusedRequest>) => run(Store.use((store) => store.addRefused(rows)))

const Page = Schema.Struct({
  requests: Schema.Array(Schema.Struct({ id: Schema.String })),
  next: Schema.NullOr(Schema.String)
})

const listed = async (input: object = {}) => {
  const { next, requests: found } = Schema.decodeUnknownSync(Page)(await ask(requests, input))
  return { ids: found.map(({ id }) => id), next }
}

describe("requests", () => {
  it("shows refused requests of all accounts, the newest first", async () => {
    await keep(refused(20), flood(10))
    expect(await ask(requests)).toEqual({
      requests: [
        {
          id: flood(10).id,
          at: "2027-01-15T11:59:50.000Z",
          account_id: null,
          mode: null,
          key_id: null,
          operation: "POST /verifications",
          status: 401,
          code: "UNAUTHORIZED",
          reason: "the key is unknown or revoked",
          request_id: null,
          client: null,
          to: null,
          count: 4_000
        },
        {
          id: refused(20).id,
          at: "2027-01-15T11:59:40.000Z",
          account_id: ACCOUNT,
          mode: "live",
          key_id: KEY,
          operation: "POST /verifications",
          status: 429,
          code: "TOO_MANY_REQUESTS",
          reason: "limit_number",
          request_id: REQUEST_ID,
          client: "192.0.2.1",
          to: "+491********89",
          count: 1
        }
      ],
      next: null
    })
    expect(await read(requests)).toEqual([
      "2027-01-15T11:59:50.000Z  401  UNAUTHORIZED  POST /verifications  -  -  -  -  and 4000 more  the key is unknown or revoked",
      `2027-01-15T11:59:40.000Z  429  TOO_MANY_REQUESTS  POST /verifications  ${ACCOUNT}  ${KEY}  192.0.2.1  +491********89  ${REQUEST_ID}  limit_number`
    ])
  })

  it("shows those that meet its filters, page by page", async () => {
    const sms = refused(30, { mode: "sandbox", operation: "POST /sms", status: 409, code: "CONFLICT" })
    await keep(sms, refused(20), flood(10))
    const newest = flood(10).id
    expect(await listed({ account_id: ACCOUNT })).toEqual({ ids: [refused(20).id, sms.id], next: null })
    expect(await listed({ mode: "sandbox" })).toEqual({ ids: [sms.id], next: null })
    expect(await listed({ status: 401 })).toEqual({ ids: [newest], next: null })
    expect(await listed({ code: "CONFLICT" })).toEqual({ ids: [sms.id], next: null })
    expect(await listed({ operation: "POST /sms" })).toEqual({ ids: [sms.id], next: null })
    expect(await listed({ since: "2027-01-15T11:59:40Z", until: "2027-01-15T11:59:50Z" })).toEqual({
      ids: [refused(20).id],
      next: null
    })
    const first = await listed({ limit: 1 })
    expect(first).toEqual({ ids: [newest], next: newest })
    expect(await listed({ limit: 5, after: first.next })).toEqual({ ids: [refused(20).id, sms.id], next: null })
  })

  it("finds one among many", async () => {
    const odd = refused(50_000, { status: 402, code: "PAYMENT_REQUIRED", reason: null })
    await keep(odd, ...Array.from({ length: 9_000 }, (_, n) => refused(n)))
    expect(await listed({ status: 402 })).toEqual({ ids: [odd.id], next: null })
  })

  it("refuses what is no code, and says when there is nothing", async () => {
    await expect(ask(requests, { code: "NOPE" })).rejects.toMatchObject({
      issues: [{ path: "code", message: "must be the code of an error, such as UNAUTHORIZED" }]
    })
    expect(await read(requests)).toEqual(["There is no such request."])
  })
})
