/**
 * A whole service behind node:http, with gateways that take everything, and a client that plays attackers and users.
 */
import { BizchatGateway } from "@watchword/bizchat/BizchatGateway"
import { CallGateway, type Ended } from "@watchword/call/CallGateway"
import { ChatgwGateway } from "@watchword/chatgw/ChatgwGateway"
import { serve } from "@watchword/node"
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type GuardRules, createWatchword, memory } from "watchword"

/** What became of the requests of one side. */
export interface Tally {
  sent: number
  refused: number
}

export interface World {
  readonly attacker: Tally
  readonly users: Tally
  /** Sends as one side, and answers the body; null if the request was refused. */
  readonly send: (side: Tally, path: string, body: object) => Promise<Readonly<Record<string, unknown>> | null>
  /** A request that sends nothing. */
  readonly ask: (path: string, body: object) => Promise<number>
  /** What all sends have cost, in EUR. */
  readonly spent: () => Promise<number>
  readonly close: () => Promise<void>
}

const BALANCE = 10_000

const quiet = { events: () => Effect.void, health: Effect.succeed([]), webhook: null }

const gateways = () => ({
  sms: Layer.succeed(SmsGateway, { ...quiet, send: ({ delivery }) => Effect.succeed(Outcome.accepted([delivery])) }),
  bizchat: Layer.succeed(BizchatGateway, {
    ...quiet,
    check: () => Effect.void,
    send: ({ delivery }) => Effect.succeed(Outcome.accepted([delivery]))
  }),
  chatgw: Layer.succeed(ChatgwGateway, {
    ...quiet,
    send: ({ delivery }) => Effect.succeed(Outcome.accepted([delivery], { request_id: delivery })),
    checkSendAbility: (to) => Effect.succeed({ _tag: "Reachable", requestId: `probe-${to}` }),
    checkVerificationStatus: () => Effect.die("not asked"),
    revoke: () => Effect.die("not asked")
  }),
  call: trunk()
})

/** Its calls ring until the service closes. */
const trunk = () => {
  const ringing = new Set<DeliveryId>()
  let handle: (event: Ended) => Effect.Effect<void, StoreError> = () => Effect.void
  const cause = { hangupCause: "NO_ANSWER", sipStatus: null, q850: null }
  const end = (delivery: DeliveryId) =>
    handle({ _tag: "Ended", delivery, cause, answeredAt: null, endedAt: Date.now() })
  return Layer.succeed(CallGateway, {
    ...quiet,
    events: (receive) => Effect.sync(() => (handle = receive)),
    dial: ({ delivery }) =>
      Effect.sync(() => {
        ringing.add(delivery)
        return { _tag: "Ringing", postDialDelay: 1, dialog: "dialog" }
      }),
    hangup: () => Effect.succeed(false),
    recover: () => Effect.void,
    drain: Effect.suspend(() => Effect.ignore(Effect.forEach([...ringing], end, { discard: true })))
  })
}

/** @param rules of the account */
export const open = async (rules: GuardRules): Promise<World> => {
  const service = await createWatchword({
    store: memory(),
    ...gateways(),
    prices: {
      sms: { "*": 0.05, "234": 0.2 },
      call: { "*": 0.02 },
      chatgw: { "*": 0.01 },
      chatgw_probe: { "*": 0.01 },
      bizchat: { "*": 0.04 }
    },
    secret: "an installation's secret for the test of attacks"
  })
  const { account_id: account } = await service.operator.account.create({
    name: "Shop",
    sms_sender: "Shop",
    caller: "+4930901820123"
  })
  await service.operator.account.credit({ account_id: account, amount: BALANCE })
  await service.operator.guard.set({ account_id: account, rules })
  const { key } = await service.operator.key.create({ account_id: account })
  const serving = await serve(service, { basePath: "/v1", port: 0 })

  const post = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${serving.port}/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-account-id": account, "x-api-key": key },
      body: JSON.stringify(body)
    })

  const send: World["send"] = async (side, path, body) => {
    const response = await post(path, body)
    const answer: Readonly<Record<string, unknown>> = JSON.parse(await response.text())
    if (response.status === 403 || response.status === 429) {
      side.refused += 1
      return null
    }
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(answer)}`)
    side.sent += 1
    return answer
  }

  return {
    attacker: { sent: 0, refused: 0 },
    users: { sent: 0, refused: 0 },
    send,
    ask: async (path, body) => {
      const response = await post(path, body)
      await response.text()
      return response.status
    },
    spent: async () => BALANCE - (await service.operator.account.show({ account_id: account })).available,
    close: () => serving.close().then(service.dispose)
  }
}
