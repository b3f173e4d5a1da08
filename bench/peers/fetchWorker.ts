/**
 * A Worker that calls its own handlers as often as a request asks, and answers with the time that took: a bare
 * handler, the contract with a constant for its SMS channel, and the whole service's sandbox on a store in memory.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { Features } from "@watchword/send/channel/Features"
import * as Operation from "@watchword/send/channel/Operation"
import { MessageId, ReportSms, SendSms } from "@watchword/schemas/Sms"
import { sms } from "@watchword/sms/Sms"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import { type FetchHandler, watchword } from "@watchword/fetch"
import { AccountId } from "@watchword/schemas/Ids"
import { Handler, toPromise } from "@watchword/server/Host"
import * as Server from "@watchword/server/Server"
import { memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scheduler from "effect/Scheduler"
import * as Scope from "effect/Scope"
import * as Services from "watchword/Services"
import { someAccount } from "../../test/accounts.ts"

const account = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
const messageId = MessageId.make("0199a1c6-2f00-8000-8000-000000000000")
const payload = JSON.stringify({ to: "+4915123456789", text: "Your code is 123456", from: "Watchword" })

interface Asked {
  readonly handler: FetchHandler
  readonly key: string
}

const bare: Asked = {
  key: "none",
  handler: async (request) => {
    const { from, to }: { readonly to: string; readonly from: string } = await request.json()
    return Response.json({ messageId, from, to })
  }
}

const notMeasured = () => Effect.die("not measured")

/** Only SMS, whose sends return a constant. */
const constant = Layer.succeed(Features, [
  {
    feature: sms,
    codes: null,
    operations: {
      send: Operation.send(SendSms, (_, body) => Effect.succeed({ messageId, from: body.from ?? "", to: body.to })),
      get: Operation.read(notMeasured),
      list: Operation.list(notMeasured),
      report: Operation.body(ReportSms, notMeasured)
    },
    isLive: false,
    health: Effect.succeed([]),
    webhook: null,
    maintain: Effect.void,
    drain: Effect.void
  }
])

const contract = Layer.merge(Server.layer(), Keys.layer).pipe(
  Layer.provide(constant),
  Layer.provide(Authenticator.layer),
  Layer.provideMerge(memory()),
  Layer.provide(ChannelRegistry.layerBuiltIn),
  Layer.provide(Services.onlyOnRequest)
)

const inTurn = Layer.succeed(Scheduler.Scheduler, new Scheduler.MixedScheduler("sync"))

const made = async <E>(layer: Layer.Layer<Handler | Keys.Keys | Store, E>): Promise<Asked> => {
  const whole = Layer.provideMerge(layer, inTurn)
  const context = Effect.runSync(Layer.buildWithScope(whole, Scope.makeUnsafe()))
  const open = Effect.gen(function* () {
    const store = yield* Store
    yield* store.createAccount(someAccount({ id: account }))
    return yield* Keys.Keys.use((keys) => keys.create({ account, mode: "sandbox" }))
  })
  const { secret } = await Effect.runPromiseWith(context)(open)
  return {
    key: Redacted.value(secret),
    handler: watchword({ handle: toPromise(Context.get(context, Handler), context) }, { basePath: "/v1" })
  }
}

const asked: { readonly [load: string]: () => Promise<Asked> } = {
  bare: () => Promise.resolve(bare),
  contract: () => made(contract),
  sandbox: () => made(Services.layer({ store: memory(), background: false }))
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const { handler, key } = (await asked[searchParams.get("load") ?? ""]?.()) ?? bare
    const times = Number(searchParams.get("times"))
    const headers = { "x-api-key": key, "x-account-id": account, "content-type": "application/json" }
    const ask = async () => {
      const response = await handler(new Request("http://localhost/v1/sms", { method: "POST", headers, body: payload }))
      if (response.status !== 200) throw new Error(await response.text())
      await response.text()
    }
    for (let index = 0; index < times / 4; index++) await ask()
    const begun = performance.now()
    for (let index = 0; index < times; index++) await ask()
    return Response.json((performance.now() - begun) / times)
  }
}
