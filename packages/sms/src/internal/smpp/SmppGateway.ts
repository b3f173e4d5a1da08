/**
 * An SMS gateway to carriers over SMPP 3.4.
 *
 * A message leaves over the first link, in order of preference, that can take it. Each part waits for its
 * submit_sm_resp; without one in time the outcome is `Unknown`, and a late response is published as an event. A
 * deliver_sm with a receipt is acknowledged once the receipt was handled, and so is a text to a number of ours.
 */
import { type Gateway, EventHub, type Secret, Unrecognized, textOf } from "@watchword/send/gateway"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import type { Outcome } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import { carrierAmong } from "@watchword/send/channel/Gateways"
import { type Service, type SmsEvent, SmsGateway } from "../../SmsGateway.ts"
import { type Owner, keepBound, unbind } from "./Bind.ts"
import * as CommandStatus from "./CommandStatus.ts"
import { Complaints } from "./Complaints.ts"
import { classify } from "./Incoming.ts"
import { Link } from "./Link.ts"
import * as TextMetrics from "../texts/TextMetrics.ts"
import { MessageIds } from "./MessageIds.ts"
import * as Notes from "./Notes.ts"
import { type LinkOptions, type Options, SmppOptionsError, fromUrls } from "./Options.ts"
import { Outbox } from "./Outbox.ts"
import * as SubscriberTexts from "./SubscriberTexts.ts"
import { Trials } from "./rehearsal/Trials.ts"
import * as Timer from "./Timer.ts"

const DEADLINE = "10 seconds"
const DRAIN = "10 seconds"
/** Between two attempts to have a late outcome handled, which no carrier would send again. */
const LATE_RETRY = Schedule.spaced("2 seconds")

const throttlings = Metric.counter("watchword_gateway_throttled_total", {
  description: "Times that a link slowed down because its carrier was throttling, by gateway.",
  incremental: true
})

/** The carriers of the links that submit, by their names or hosts. */
const carriersOf = (links: Options["links"]): ReadonlyArray<string> =>
  links.filter(({ bind }) => bind !== "receiver").map(({ carrier, host }) => carrier || host)

/** A gateway that lives as long as the scope. Closing it waits for answers and receipts, and unbinds. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Service, never, Scope> {
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const fork = yield* FiberSet.makeRuntime()
  const run = (effect: Effect.Effect<void>): void => void fork(effect)

  const hub = new EventHub<SmsEvent, StoreError>()
  const publishLate = (event: SmsEvent): void =>
    run(Effect.ignore(Effect.retry(Effect.sandbox(hub.publish(event)), LATE_RETRY)))

  const unrecognized = new Unrecognized()
  const links = makeLinks(options.links, now())
  const wake = yield* Timer.make(now, () => outbox.sweep())
  const complaints = new Complaints()
  const outbox = new Outbox(links, { now, wake }, Duration.toMillis(options.deadline ?? DEADLINE), {
    late: (delivery, outcome) => publishLate({ _tag: "LateOutcome", delivery, outcome }),
    unknown: (link, status) => run(unrecognized.note(gatewayOf(link), ...Notes.status("submit_sm", status))),
    refused: (link, status, advice) => run(complaints.warn(link, status, advice, now())),
    throttled: ({ name }) =>
      run(
        Effect.andThen(
          Metric.update(Metric.withAttributes(throttlings, { gateway: `sms:${name}` }), 1),
          Effect.logWarning("a carrier throttles; the link slows down", { link: name })
        )
      )
  })

  const received = yield* TextMetrics.make
  const count = (link: Link): TextMetrics.CountText => received(gatewayOf(link))
  const texts = yield* SubscriberTexts.make({ links, hub, now, count })

  const trials = new Trials({ links, now, wake })
  const owner: Owner = {
    now,
    log: run,
    noted: (link, asked, status) => unrecognized.note(gatewayOf(link), ...Notes.status(asked, status)),
    changed: () => outbox.pump(),
    delivered: (link, message, answer) => {
      if (trials.take(link, message, answer, () => owner.delivered(link, message, answer))) return
      texts?.arrived(link)
      const incoming = classify(link, message)
      if (incoming._tag === "Text") {
        if (texts?.take(link, message, answer) === true) return
        count(link)("dropped")
      }
      const note = Notes.of(incoming)
      if (note !== null) run(unrecognized.note(gatewayOf(link), ...note))
      if (incoming._tag !== "Receipt") return answer(CommandStatus.OK)
      const unmatched = unrecognized.note(gatewayOf(link), ...Notes.unmatched(incoming))
      hub.offer({ ...incoming.event, unmatched }, (handled) => {
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
    rehearsal: trials,
    ...(texts === null ? {} : { receives: () => texts.numbers }),
    ...carrierAmong(carriersOf(options.links)),
    health: Effect.sync(() =>
      links.map((link) => {
        const { certificateEnds, isUp, learnedRate, name, window } = link
        return {
          name,
          up: isUp,
          window,
          rate: learnedRate,
          unrecognized: unrecognized.seen(gatewayOf(link)),
          ...(certificateEnds === null ? {} : { certificateEnds })
        }
      })
    )
  }
})

/** A link as metrics and the log name it. */
const gatewayOf = ({ name }: Link): string => `sms:${name}`

/** Makes the links, with names of their own. Links to one carrier share its message ids. */
const makeLinks = (options: ReadonlyArray<LinkOptions>, now: number): ReadonlyArray<Link> => {
  const ids = new Map<string, MessageIds>()
  const names = new Map<string, number>()
  return options.map((each) => {
    const { carrier, host, port } = each
    const carrierIds = ids.get(carrier) ?? new MessageIds(carrier)
    ids.set(carrier, carrierIds)
    const address = `${host}:${port}`
    const count = (names.get(address) ?? 0) + 1
    names.set(address, count)
    return new Link(count === 1 ? address : `${address}#${count}`, each, carrierIds, now)
  })
}

/** A gateway with these links. */
export const layer = (options: Options): Layer.Layer<SmsGateway> => Layer.effect(SmsGateway, make(options))

export interface SmppInput {
  /** The link, such as `smpp://id:secret@carrier.example:2775?window=50`, or several with commas between them. */
  readonly url: Secret
}

/**
 * A gateway with the links of a URL, as {@link fromUrls} reads it.
 *
 * @example
 * ```ts
 * import { smpp } from "@watchword/sms/smpp"
 *
 * const gateway = smpp({ url: "smpp://id:secret@carrier.example:2775?window=50" })
 * ```
 */
export const smpp = ({ url }: SmppInput): Gateway<SmsGateway, SmppOptionsError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const options = yield* Effect.fromResult(fromUrls(textOf(url)))
      return (yield* BackgroundAllowed) ? layer(options) : yield* misplaced
    })
  )

const misplaced = new SmppOptionsError({
  setting: "sms",
  message: "SMPP needs connections that last, and here nothing outlives a request: use a Durable Object, or Node."
})
