/** A service on a socket with the door mounted, and Twilio's own SDK pointed at it. */
import { watchword } from "@watchword/node"
import { type Options, twilioSids, twilioVerify } from "@watchword/twilio-verify"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { createServer } from "node:http"
import twilio, { type Twilio } from "twilio"
import { type Options as ServiceOptions, type Watchword, createWatchword, memory } from "watchword"

export const PHONE = "+4915123456789"

export interface World {
  readonly service: Watchword
  readonly account: string
  readonly key: string
  /** The address of the door. */
  readonly url: string
  /** `VA…` of the default workflow. */
  readonly va: string
  readonly client: Twilio
  /** The newest code on a phone. */
  readonly code: (to?: string) => Promise<string>
  /** How many messages a phone has. */
  readonly count: (to?: string) => Promise<number>
  /** Lets time pass. */
  readonly pass: (milliseconds: number) => void
  readonly close: () => Promise<void>
}

/** The SDK as an app has it, but for the line. */
export const pointed = (user: string, password: string, url: string): Twilio => {
  const client = twilio(user, password)
  client.verify.baseUrl = url
  return client
}

export const openWorld = async (
  options: Options = {},
  more: Partial<ServiceOptions> = {},
  sandbox = true
): Promise<World> => {
  let ahead = 0
  const now = () => Date.now() + ahead
  const clock = { now }
  const observability = Layer.succeed(References.MinimumLogLevel, "None")
  const service = await createWatchword({ store: memory(), observability, clock, ...more })
  const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
  const { key } = await service.operator.key.create({ account_id: account, sandbox })
  const server = createServer(watchword(twilioVerify(service, options), { basePath: "/twilio" }))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/twilio`
  const caller = { account, sandbox }
  const sids = twilioSids(account)
  const messages = async (to: string) => (await service.sandbox.inbox(caller, { to })).messages
  return {
    service,
    account,
    key,
    url,
    va: sids.service,
    client: pointed(sids.account, key, url),
    code: async (to = PHONE) => (await messages(to))[0]?.code ?? "",
    count: async (to = PHONE) => (await messages(to)).length,
    pass: (milliseconds) => {
      ahead += milliseconds
    },
    close: async () => {
      await new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)))
      await service.dispose()
    }
  }
}

/** The refusal of a promise: the code, the status and the message of an SDK's error. */
export const refusalOf = async (promise: Promise<unknown>) => {
  try {
    await promise
  } catch (error) {
    if (!(error instanceof twilio.RestException)) throw error
    const { code, message, status } = error
    return { status, code, message }
  }
  return { status: 200, code: 0, message: "was not refused" }
}
