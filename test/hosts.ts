/**
 * The conformance suite of hosts under vitest, and a service for hosts to serve.
 */
import { type Abilities, type Harness, type Target, cases, mountCases } from "@watchword/server/conformance"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

export interface Served extends Target {
  readonly close: () => Promise<unknown>
}

/** Declares the whole suite for a host that serves one service to all cases. */
export const describeHost = (name: string, host: Partial<Abilities>, start: () => Promise<Served>): void =>
  declare(name, host, start, cases)

/** Declares the cases that tell mounts apart, for a host that passes the whole suite elsewhere. */
export const describeMount = (name: string, host: Partial<Abilities>, start: () => Promise<Served>): void =>
  declare(name, host, start, mountCases)

const declare = (
  name: string,
  host: Partial<Abilities>,
  start: () => Promise<Served>,
  suite: (harness: Omit<Harness, "channels">) => ReturnType<typeof cases>
): void => {
  describe(`the interface over ${name}`, () => {
    let served: Served
    beforeAll(async () => {
      served = await start()
    })
    afterAll(() => served.close())

    // Cases share the service and nothing else.
    for (const { name, check } of suite({ host, service: () => served })) {
      it.concurrent(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
    }
  })
}

export interface Running {
  readonly service: Watchword
  readonly account: string
  readonly key: string
  readonly readKey: string
}

/** A service in memory with one account and two sandbox keys. */
export const startService = async (): Promise<Running> => {
  const service = await createWatchword({ store: memory() })
  const { account_id: account } = await service.operator.account.create({ name: "Acme", caller: "+4930901820123" })
  const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
  const { key: readKey } = await service.operator.key.create({
    account_id: account,
    sandbox: true,
    scopes: ["sms:read"]
  })
  return { service, account, key, readKey }
}
