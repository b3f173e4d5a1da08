/**
 * The start of a test kit.
 */
import { LiveForAll } from "@watchword/send/channel/Gateways"
import { serve } from "@watchword/node"
import { Observer, WaitUntil } from "@watchword/send/pipeline"
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { Scheduler } from "effect/Scheduler"
import * as Scope from "effect/Scope"
import * as Services from "watchword/Services"
import { telegramLogin } from "watchword/telegramLogin"
import { Maintenance } from "watchword/Services"
import { operatorOf } from "watchword"
import { type Watchword, over } from "watchword/Hosting"
import { Inbox } from "./Inbox.ts"
import { Activity } from "./internal/Activity.ts"
import { bizchat } from "./internal/gateways/bizchat.ts"
import { call } from "./internal/gateways/call.ts"
import { chatgw } from "./internal/gateways/chatgw.ts"
import { sms } from "./internal/gateways/sms.ts"
import { millisOf } from "./internal/millisOf.ts"
import { ManualClock } from "./internal/ManualClock.ts"
import { Network } from "./internal/Network.ts"
import * as Outgoing from "./internal/Outgoing.ts"
import { type Failing, Script } from "./internal/Script.ts"
import type { ChannelName, Outcomes } from "@watchword/sandbox/simulator"
import { Phones } from "./Phones.ts"

type FromService = Pick<
  Services.Options,
  "prices" | "verify" | "guards" | "secret" | "webhooks" | "trustedProxies" | "maxBodyBytes"
>

/**
 * The options of the service, so that tests use the options of production, and of the kit. The default guard rules are
 * off, because tests use one number many times. `guards: DefaultRules` of `@watchword/guards/Rules` turns them on.
 */
export interface Options extends FromService {
  /** The time at which the clock begins; that of `Date` unless given. */
  readonly now?: Date
  /** The money of the account, in EUR: 100 unless given. */
  readonly balance?: number
}

/** The kit's clock, by which everything in the service goes. */
export interface KitClock {
  /** The time. */
  readonly now: () => Date
  /**
   * Advances the clock by so many seconds and runs all work that falls due: receipts arrive, verifications take their
   * steps, codes expire, events are sent. Resolves when everything is done; `advance(0)` waits for the work in
   * progress.
   */
  readonly advance: (seconds: number) => Promise<void>
}

export interface Kit extends AsyncDisposable {
  /** The service, as `createWatchword` gives it. */
  readonly service: Watchword
  /** An account with money: as a caller of direct calls it is live, and its messages leave over the kit's network. */
  readonly account: string
  /** The same account in the sandbox, where nothing is paid. */
  readonly sandbox: { readonly account: string; readonly sandbox: true }
  /** API keys of the account, for `x-api-key`. */
  readonly keys: { readonly live: string; readonly sandbox: string }
  /** Answers a request of any host. */
  readonly handle: Watchword["handle"]
  /**
   * Serves the interface over HTTP, on a port of 127.0.0.1 that is free. Resolves to its address, which ends in `/v1`.
   */
  readonly listen: () => Promise<string>
  /** The messages that the phones received. */
  readonly inbox: Inbox
  /**
   * Phones that answer as the test says, or wait for their user's action, like the sandbox interface's phones. They are
   * reached through `kit.sandbox`; their messages are not in `inbox`, and `fail` does not affect them.
   */
  readonly phones: Phones
  readonly clock: KitClock
  /** Has the sends of a channel fail, until `heal`: every one, one, or those to a number. */
  readonly fail: <C extends ChannelName>(channel: C, outcome: Outcomes[C], failing?: Failing) => void
  /** Has the sends of a channel, or of all, succeed again. */
  readonly heal: (channel?: ChannelName) => void
  /** Ends the service and its server. */
  readonly dispose: () => Promise<void>
}

/**
 * Starts a service in memory, with gateways that bring every message to the kit's inbox.
 *
 * @example
 * ```ts
 * import { startWatchword } from "@watchword/testing"
 *
 * const kit = await startWatchword()
 * const { id } = await kit.service.verify.start(kit.account, { to: "+4915123456789" })
 * const { code } = await kit.inbox.next("+4915123456789")
 * await kit.clock.advance(660)
 * await kit.service.verify.check(kit.account, id, { code }).catch(({ code }) => console.log(code))
 * await kit.dispose()
 * ```
 */
export const startWatchword = async (options: Options = {}): Promise<Kit> => {
  const { balance = 100, now = new Date(), ...given } = options
  const clock = new ManualClock(now.getTime())
  const { isSending, store } = Outgoing.make()
  const activity = new Activity(isSending)
  const script = new Script()
  const inbox = new Inbox()
  const run = async (effect: Effect.Effect<void, unknown>) => Effect.runPromiseWith(base)(effect)
  const network = new Network({ clock, script, inbox, run })
  const base = Context.empty().pipe(
    Context.add(Clock.Clock, clock),
    Context.add(Scheduler, activity.scheduler),
    Context.add(WaitUntil, activity.waitUntil),
    Context.add(LiveForAll, true),
    Context.add(Observer, network.observe),
    Context.add(References.MinimumLogLevel, "Error")
  )
  // Phones sign in without the page of the link, which is served once the kit listens.
  const reached = { at: "http://127.0.0.1/v1" }
  const layer = Services.layer({
    prices: PRICES,
    webhooks: { allowPrivate: true },
    guards: "none",
    telegramLogin: telegramLogin(null, { publicUrl: () => reached.at }),
    ...given,
    store: Layer.succeed(Store, store),
    sms: sms(network),
    call: call(network),
    chatgw: chatgw(network),
    bizchat: bizchat(network)
  })
  const scope = Scope.makeUnsafe()
  const context = Context.merge(base, await Effect.runPromiseWith(base)(Layer.buildWithScope(layer, scope)))

  const closing: Array<() => Promise<unknown>> = [() => run(Scope.close(scope, Exit.void))]
  let hasEnded = false
  const dispose = async () => {
    hasEnded = true
    for (const close of closing.splice(0).toReversed()) await close()
  }
  const part = over(context, () => hasEnded)
  const service: Watchword = { ...part, operator: operatorOf(part), dispose, [Symbol.asyncDispose]: dispose }
  const { operator } = service
  const { account_id: account } = await operator.account.create({
    name: "Test",
    sms_sender: "Test",
    caller: CALLERS[0]
  })
  await operator.account.callers({ account_id: account, numbers: [CALLERS.join("-")], allow_small: true })
  if (balance > 0) await operator.account.credit({ account_id: account, amount: balance })
  const sandbox = { account, sandbox: true } as const
  const keyOf = async (sandbox: boolean) => (await operator.key.create({ account_id: account, sandbox })).key

  const listen = async () => {
    const { close, port } = await serve(service, { basePath: "/v1", port: 0 })
    closing.push(close)
    return (reached.at = `http://127.0.0.1:${port}/v1`)
  }

  const nextDue = (after: number, until: number): number | null => {
    const due = Effect.runSync(
      Effect.provideService(store.due({ channel: "verify", limit: 500 }), Clock.Clock, new ManualClock(until))
    )
    return due.find(({ dueAt }) => dueAt !== null && dueAt > after)?.dueAt ?? null
  }
  const maintain = () => Effect.runPromiseWith(context)(Maintenance.use((maintenance) => maintenance.run))
  let advancing: Promise<void> = Promise.resolve()
  const advance = async (seconds: number) => {
    const millis = millisOf(seconds)
    const advanced = () => clock.advance(millis, { nextDue, maintain, settled: activity.settled })
    advancing = advancing.then(advanced, advanced)
    return advancing
  }

  return {
    service,
    account,
    sandbox,
    keys: { live: await keyOf(false), sandbox: await keyOf(true) },
    handle: service.handle,
    listen,
    inbox,
    phones: new Phones(service, sandbox),
    clock: { now: () => new Date(clock.currentTimeMillisUnsafe()), advance },
    fail: (channel, outcome, failing = {}) => script.fail(channel, outcome, failing),
    heal: (channel) => script.heal(channel),
    dispose,
    [Symbol.asyncDispose]: dispose
  }
}

/** The same for every number and product. */
const PRICES = Object.fromEntries(
  ["sms", "call", "chatgw", "chatgw_probe", "bizchat"].map((name) => [name, { "*": 0.05 }])
)

/** A range of numbers that the German regulator keeps for films. */
const CALLERS = ["+493023125000", "+493023125999"] as const
