/**
 * A service that clients call over sockets: its sandbox, and a live SMS gateway that counts.
 */
import { type Client, type ClientOptions, createClient } from "@watchword/client"
import { serve } from "@watchword/node"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Outcome from "@watchword/send/Outcome"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Watchword, createWatchword, memory } from "watchword"

export interface Running {
  readonly baseUrl: string
  readonly service: Watchword
  readonly account: string
  readonly sandbox: (options?: Partial<ClientOptions>) => Client
  readonly live: (options?: Partial<ClientOptions>) => Client
  /** The numbers that the gateway was asked to send to. */
  readonly sent: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** @param takes milliseconds that the gateway needs for a message */
export const startService = async (takes = 0): Promise<Running> => {
  const sent: Array<string> = []
  const gateway = SmsGateway.of({
    send: ({ delivery, to }) => {
      sent.push(to)
      return Effect.delay(Effect.succeed(Outcome.accepted([`ref-${delivery}`])), takes)
    },
    events: () => Effect.void,
    health: Effect.succeed([])
  })
  const service = await createWatchword({ store: memory(), sms: Layer.succeed(SmsGateway, gateway) })
  const { account_id: accountId } = await service.operator.account.create({
    sms_sender: "Acme",
    caller: "+4930901820123"
  })
  const { key: test } = await service.operator.key.create({ account_id: accountId, sandbox: true })
  const { key: live } = await service.operator.key.create({ account_id: accountId })
  const serving = await serve(service, { basePath: "/v1", port: 0 })
  const baseUrl = `http://127.0.0.1:${serving.port}/v1`
  return {
    baseUrl,
    service,
    account: accountId,
    sandbox: (options) => createClient({ baseUrl, accountId, apiKey: test, ...options }),
    live: (options) => createClient({ baseUrl, accountId, apiKey: live, ...options }),
    sent,
    close: () => serving.close().then(service.dispose)
  }
}
