/**
 * Fields of the chat gateway that programs have under the names of all other records.
 */
import type { ChatgwCodeChecked, Client, CodeSent, SendAbility, Tdr } from "@watchword/client"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { fromWire, toWire } from "../../packages/client/src/internal/Spelling.ts"
import { type Running, startService } from "./service.ts"

let running: Running
let client: Client
beforeAll(async () => {
  running = await startService()
  client = running.sandbox()
})
afterAll(() => running.close())

type Names<A> = A extends object ? { [K in keyof A]: K | Names<A[K]> }[keyof A] : never

describe("answers of the chat gateway", () => {
  it("lose nothing on their way from the wire", () => {
    const status = fc.record({ status: fc.string(), updated_at: fc.integer({ min: 0, max: 4_102_444_800 }) })
    const answers = fc.record({ phone_number: fc.string(), request_cost: fc.double(), delivery_status: status })
    fc.assert(
      fc.property(answers, (answer) => {
        const read: unknown = JSON.parse(JSON.stringify(answer), fromWire)
        const { phone_number, request_cost, delivery_status } = JSON.parse(JSON.stringify(answer))
        expect(read).toEqual({
          to: phone_number,
          price: request_cost,
          delivery_status: {
            ...delivery_status,
            updated_at: new Date(answer.delivery_status.updated_at * 1000).toISOString()
          }
        })
      })
    )
  })

  it("are the same from the client and in the service, and have no names of the wire in their types", async () => {
    type Spelled = Names<CodeSent | SendAbility | ChatgwCodeChecked | Tdr>
    expectTypeOf<Extract<Spelled, "phone_number" | "request_cost">>().toEqualTypeOf<never>()
    expectTypeOf<SendAbility["delivery_status"]["updated_at"]>().toEqualTypeOf<string>()
    const to = "+4915120008001"
    const { account, service } = running
    const caller = { account, sandbox: true }
    const probe = await client.chatgw.checkSendAbility({ to })
    expect(probe).toMatchObject({ to, price: expect.any(Number) })
    expect(Date.parse(probe.delivery_status.updated_at)).not.toBeNaN()
    const sent = await service.chatgw.send(caller, { to, code: "0042" })
    expect(Object.keys(await client.chatgw.send({ to: "+4915120008002", code: "0042" })).sort()).toEqual(
      Object.keys(sent).sort()
    )
    expect(await client.chatgw.get(sent.uuid)).toEqual(await service.chatgw.get(caller, sent.uuid))
    const checked = await client.chatgw.checkVerificationStatus({ request_id: sent.request_id, code: "0042" })
    const again = await service.chatgw.checkVerificationStatus(caller, { request_id: sent.request_id })
    expect(checked.verification_status).toEqual(again.verification_status)
    expect(new Date(again.verification_status?.updated_at ?? "").toISOString()).toBe(
      again.verification_status?.updated_at
    )
  })

  it("are listed by their price", async () => {
    const { account, service } = running
    const body = { sort_by: "price", filter: { price: { gte: 0 } } } as const
    const page = await client.chatgw.list(body)
    expect(page.list.map(({ price }) => price)).toEqual(page.list.map(() => expect.any(Number)))
    expect(await service.chatgw.list({ account, sandbox: true }, body)).toEqual(page)
    expect(toWire(body)).toEqual({ sort_by: "request_cost", filter: { request_cost: { gte: 0 } } })
    const error: unknown = await client.chatgw
      .list({ filter: { price: { gte: "much" } } })
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ issues: [{ path: expect.stringContaining("price") }] })
  })
})
