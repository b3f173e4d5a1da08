import { sqlite } from "@watchword/store-sqlite"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword } from "watchword"
import { cancel, list, show } from "../../src/commands/VerificationCommands.ts"
import { onSqlite } from "./onSqlite.ts"

const { ask, database, read } = onSqlite()

const workflow = [
  { channel: "sms", timeout: 30 },
  { channel: "call", timeout: 30 }
] as const

let service: Watchword
let principal: { readonly account: string; readonly sandbox: true }

beforeEach(async () => {
  service = await createWatchword({ store: sqlite(database()), secret: "a secret of at least 32 characters" })
  principal = { account: (await service.operator.account.create({ sms_sender: "Acme" })).account_id, sandbox: true }
})

afterEach(() => service.dispose())

const start = (to: string, more: object = {}) => service.verify.start(principal, { to, workflow, ...more })

describe("verification list", () => {
  it("shows the verifications of all accounts, the newest first, and no sends", async () => {
    const { account } = principal
    const first = await start("+4915123456789", { client_ref: "anna" })
    const second = await start("+4915123456780", { purpose: "login" })
    await service.verify.cancel(principal, second.id)
    const common = { account_id: account, mode: "sandbox", country: "DE", channel: "sms", step: 1, sends: 1 }
    expect(await ask(list, { account_id: account })).toMatchObject({
      verifications: [
        { ...common, id: second.id, to: "+4915123456780", status: "canceled", purpose: "login" },
        { ...common, id: first.id, to: "+4915123456789", status: "pending", client_ref: "anna", guard_reasons: null }
      ],
      next: null
    })
    expect(await ask(list, { status: "canceled" })).toMatchObject({ verifications: [{ id: second.id }] })
    expect(await ask(list, { limit: 1 })).toMatchObject({ next: second.id })
    expect(await ask(list, { after: second.id })).toMatchObject({ verifications: [{ id: first.id }], next: null })
    expect(await ask(list, { mode: "live" })).toEqual({ verifications: [], next: null })
    await expect(ask(list, { status: "done" })).rejects.toMatchObject({ issues: [{ path: "status" }] })
  })
})

describe("verification show", () => {
  it("shows the sends of one, of whichever account", async () => {
    const { id } = await start("+4915123456789")
    expect(await ask(show, { verification_id: id })).toMatchObject({
      id,
      account_id: principal.account,
      status: "pending",
      attempts: [{ channel: "sms", delivery_id: expect.stringMatching(/^0/), price: 0 }],
      price: 0,
      approved_at: null,
      test_number: false
    })
    expect(await read(show, { verification_id: id })).toContainEqual(
      expect.stringMatching(/^ {2}5 guesses and \d sends left$/)
    )
  })

  it("names an id of nothing, and a text that is no id", async () => {
    const verification_id = "vrf_01KAJ3T8ZZ0000000000000000"
    await expect(ask(show, { verification_id })).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(ask(show, { verification_id: "x" })).rejects.toMatchObject({ issues: [{ path: "verification_id" }] })
  })
})

describe("verification cancel", () => {
  it("ends one that is pending, whose number can be verified again", async () => {
    const { id } = await start("+4915123456789")
    expect(await ask(cancel, { verification_id: id })).toEqual({ verification_id: id, status: "canceled" })
    expect(await service.verify.get(principal, id)).toMatchObject({ status: "canceled" })
    expect((await start("+4915123456789")).id).not.toBe(id)
    expect(await read(cancel, { verification_id: id })).toEqual([expect.stringMatching(/is canceled;/)])
  })

  it("leaves one alone that is approved", async () => {
    const { id } = await start("+4915123456789")
    await service.verify.report(principal, id, { status: "approved" })
    await expect(ask(cancel, { verification_id: id })).rejects.toMatchObject({ code: "CONFLICT" })
    expect(await service.verify.get(principal, id)).toMatchObject({ status: "approved" })
  })
})
