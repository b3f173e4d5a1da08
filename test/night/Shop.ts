/**
 * A service in memory with two carriers that bring every text as the replay says, and the users of its one account.
 */
import { EventHub } from "@watchword/send/gateway"
import * as Outcome from "@watchword/send/Outcome"
import { carriers } from "@watchword/sms/carriers"
import { type Message, type SmsEvent, SmsGateway } from "@watchword/sms/SmsGateway"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { nextEntryId } from "@watchword/schemas/Ids"
import { PositiveMicroEuros } from "@watchword/schemas/Money"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { over } from "watchword/Hosting"
import * as Services from "watchword/Services"
import { Maintenance } from "watchword/Services"
import type { Problem } from "../../packages/operator/src/insight/overview/Problem.ts"
import { overviewAt } from "../../packages/operator/src/insight/overview/Overview.ts"
import { someAccount } from "../stores/fixtures.ts"
import type { Agenda } from "./Agenda.ts"
import { clockAt } from "./clock.ts"

/** How a carrier treats a text: after how long its receipt comes, in milliseconds, and whether it is a good one. */
export type Treatment = (carrier: string, at: number) => { readonly after: number; readonly arrives: boolean }

export interface Shop {
  readonly now: () => number
  readonly set: (at: number) => void
  /** Starts a verification; resolves to the id and the code, or null if a guard refuses it. */
  readonly start: (to: string, address: string, purpose?: string) => Promise<Started | null>
  readonly check: (started: Started) => Promise<void>
  /** The work of a process, once a minute. */
  readonly maintain: () => Promise<void>
  readonly problems: () => Promise<ReadonlyArray<Problem>>
  readonly end: () => Promise<void>
}

interface Started {
  readonly id: string
  readonly code: string
}

const PRICES = { sms: { "*": 0.05, "234": 0.2 } }
const CREDIT = 5_000

export const open = async (begin: number, agenda: Agenda, treatment: Treatment): Promise<Shop> => {
  const clock = clockAt(begin)
  const now = () => clock.currentTimeMillisUnsafe()
  const references = Layer.merge(Layer.succeed(Clock.Clock, clock), Logger.layer([]))
  const codes = new Map<string, string>()

  const carrier = (name: string) =>
    Layer.sync(SmsGateway, () => {
      const hub = new EventHub<SmsEvent, StoreError>()
      const send = ({ delivery, reference, text, to }: Message) => {
        codes.set(to, /\d{6}/.exec(text.source)?.[0] ?? "")
        const { after, arrives } = treatment(name, now())
        const receipt = {
          _tag: "Receipt",
          refs: [`${name}-${delivery}`],
          to,
          reference,
          status: arrives ? "delivered" : "undelivered",
          carrierStatus: arrives ? "DELIVRD" : "UNDELIV",
          carrierError: null
        } as const
        agenda.add(now() + after, () =>
          Effect.runPromise(Effect.provide(Effect.ignore(hub.publish(receipt)), references))
        )
        return Outcome.accepted([`${name}-${delivery}`])
      }
      return {
        send: (message: Message) => Effect.sync(() => send(message)),
        events: (handle) => hub.subscribe(handle),
        health: Effect.succeed([{ name, up: true }])
      }
    })

  const store = makeMemory()
  const account = someAccount({ smsSender: "Acme", createdAt: now() })
  const amount = PositiveMicroEuros.make(CREDIT * 1_000_000)
  await Effect.runPromise(
    Effect.provide(
      Effect.andThen(
        store.createAccount(account),
        store.credit({ id: nextEntryId(now()), account: account.id, amount, at: now() })
      ),
      references
    )
  )
  const layer = Services.layer({
    store: Layer.succeed(Store, store),
    sms: carriers(
      {
        alpha: { gateway: carrier("alpha"), cost: { "*": 0.03 } },
        beta: { gateway: carrier("beta"), cost: { "*": 0.04 } }
      },
      {
        routes: [
          { to: "49", via: ["alpha", "beta"] },
          { to: "*", via: ["beta"] }
        ]
      }
    ),
    prices: PRICES,
    secret: "an installation's secret for the replay of a night",
    background: false
  })
  const runtime = ManagedRuntime.make(Layer.provideMerge(layer, references))
  const { verify } = over(await runtime.context())
  const caller = { account: account.id }

  return {
    now,
    set: clock.set,
    start: async (to, address, purpose = "login") => {
      try {
        const workflow = [{ channel: "sms", timeout: 600 }] as const
        const { id } = await verify.start(caller, { to, purpose, client_ip: address, workflow })
        return { id, code: codes.get(to) ?? "" }
      } catch (error) {
        const { status }: { readonly status?: unknown } = Object(error)
        if (status === 403 || status === 429) return null
        throw error
      }
    },
    check: async ({ code, id }) => void (await verify.check(caller, id, { code })),
    maintain: () => runtime.runPromise(Maintenance.use((maintenance) => maintenance.run)),
    problems: async () => (await runtime.runPromise(overviewAt(now()))).problems,
    end: () => runtime.dispose()
  }
}
