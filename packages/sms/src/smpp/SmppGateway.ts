/**
 * The gateway to carriers over SMPP 3.4.
 *
 * A message leaves by the first of the links, in order of preference, that can take it. Each part that was
 * written waits for its submit_sm_resp; when none comes in time the outcome is unknown, and a late answer
 * is reported as an event. Receipts are acknowledged to the carrier once they were handled.
 */
import { EventHub } from "@watchword/gateway/EventHub"
import { BackgroundAllowed } from "@watchword/send/Background"
import type { Outcome } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import { type Service, type SmsEvent, SmsGateway } from "../SmsGateway.ts"
import { type Owner, keepBound, unbind } from "./Bind.ts"
import * as CommandStatus from "./CommandStatus.ts"
import { Link } from "./Link.ts"
import { MessageIds } from "./MessageIds.ts"
import { type LinkOptions, type Options, SmppOptionsError, fromUrls } from "./Options.ts"
import { Outbox } from "./Outbox.ts"
import * as Receipt from "./Receipt.ts"
import * as Timer from "./Timer.ts"

const DEADLINE = "10 seconds"
const DRAIN = "10 seconds"
/** When an event that no carrier would send again is handled again. */
const LATER = "2 seconds"

/** The gateway, for as long as the scope lives; closing it drains and unbinds. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Service, never, Scope> {
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const fork = yield* FiberSet.makeRuntime()
  const log = (effect: Effect.Effect<void>): void => void fork(effect)

  const hub = new EventHub<SmsEvent, StoreError>()
  const handleLate = (event: SmsEvent): void =>
    hub.offer(event, (handled) => {
      if (Exit.isFailure(handled))
        fork(
          Effect.delay(
            Effect.sync(() => handleLate(event)),
            LATER
          )
        )
    })

  const links = makeLinks(options.links, now())
  const wake = yield* Timer.make(now, () => outbox.sweep())
  const outbox = new Outbox(links, { now, wake }, Duration.toMillis(options.deadline ?? DEADLINE), {
    late: (delivery, outcome) => handleLate({ _tag: "LateOutcome", delivery, outcome }),
    throttled: ({ name }) => log(Effect.logWarning("a carrier throttles; the link slows down", { link: name }))
  })

  const owner: Owner = {
    now,
    log,
    changed: () => outbox.pump(),
    delivered: (link, message, answer) => {
      const receipt = Receipt.read(message)
      // Somebody wrote to us: nobody here waits for that.
      if (receipt === undefined) return answer(CommandStatus.OK)
      const { carrierError, carrierStatus, id, reference, status, to } = receipt
      const refs = link.ids.spellings(id, to)
      if (refs.length === 0 && (to === null || reference === null)) {
        log(Effect.logWarning("a receipt that names no message was acknowledged and dropped", { link: link.name }))
        return answer(CommandStatus.OK)
      }
      hub.offer({ _tag: "Receipt", refs, to, reference, status, carrierStatus, carrierError }, (handled) => {
        answer(Exit.isSuccess(handled) ? CommandStatus.OK : CommandStatus.TRY_AGAIN)
      })
    }
  }
  yield* Effect.forEach(links, (link) => Effect.forkScoped(keepBound(link, owner)), { discard: true })

  const isIdle = () => outbox.size === 0 && hub.handling === 0
  const idle = Effect.repeat(Effect.void, { until: isIdle, schedule: Schedule.spaced("10 millis") })
  yield* Effect.addFinalizer(() => {
    outbox.close()
    return Effect.interruptible(idle).pipe(
      Effect.timeoutOption(options.drain ?? DRAIN),
      Effect.andThen(Effect.sync(() => outbox.abandon())),
      Effect.andThen(Effect.forEach(links, unbind, { concurrency: "unbounded", discard: true }))
    )
  })

  return {
    send: (message) =>
      Effect.callback<Outcome>((resume) => outbox.send(message, (outcome) => resume(Effect.succeed(outcome)))),
    events: (handle) => hub.subscribe(handle),
    links: Effect.sync(() => links.map(({ name, isUp }) => ({ name, up: isUp })))
  }
})

/** The links by order of preference; those of one carrier share what is known of its message ids. */
const makeLinks = (options: ReadonlyArray<LinkOptions>, now: number): ReadonlyArray<Link> => {
  const ids = new Map<string, MessageIds>()
  const names = new Map<string, number>()
  return options.map((each) => {
    const { carrier, systemId, host, port } = each
    const known = ids.get(carrier) ?? new MessageIds(carrier)
    ids.set(carrier, known)
    const address = `${systemId}@${host}:${port}`
    const count = (names.get(address) ?? 0) + 1
    names.set(address, count)
    return new Link(count === 1 ? address : `${address}#${count}`, each, known, now)
  })
}

/** The gateway to the carriers of these links. */
export const layer = (options: Options): Layer.Layer<SmsGateway> => Layer.effect(SmsGateway, make(options))

/**
 * The gateway to the carriers of these URLs, as {@link fromUrls} reads them.
 *
 * @example
 * ```ts
 * import { smpp } from "@watchword/sms/smpp"
 *
 * const gateway = smpp("smpp://id:secret@carrier.example:2775?window=50")
 * ```
 */
export const smpp = (urls: string): Layer.Layer<SmsGateway, SmppOptionsError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const options = yield* Effect.fromResult(fromUrls(urls))
      return (yield* BackgroundAllowed) ? layer(options) : yield* misplaced
    })
  )

const misplaced = new SmppOptionsError({
  setting: "sms",
  message: "SMPP needs a connection that lasts, and here nothing outlives a request: use a Durable Object, or Node."
})
