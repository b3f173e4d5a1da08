/**
 * Takes the texts that subscribers write to the numbers of a gateway's links: whole, decoded, and answered once they
 * are handled.
 */
import type { EventHub } from "@watchword/send/gateway"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { SmsEvent, Written } from "../../SmsGateway.ts"
import { INTERNATIONAL } from "../texts/Originator.ts"
import { writtenTo } from "../texts/OwnNumbers.ts"
import type { CountText } from "../texts/TextMetrics.ts"
import { internationalOf } from "./Addresses.ts"
import * as CommandStatus from "./CommandStatus.ts"
import { placeOf } from "./Concatenation.ts"
import type { Alphabet } from "./Alphabet.ts"
import { decode } from "./DataCoding.ts"
import type { DeliverSm } from "./DeliverSm.ts"
import { type Answer, type Joined, Joining, Pace, type Run } from "./Joining.ts"
import type { Link } from "./Link.ts"
import { TextQueue } from "./TextQueue.ts"
import * as Timer from "./Timer.ts"

export interface SubscriberTexts {
  readonly numbers: ReadonlyArray<E164>
  /** Notes that anything was delivered by a link. */
  readonly arrived: (link: Link) => void
  /** Takes a text, or a part of one. @returns whether it is to a number of ours */
  readonly take: (link: Link, message: DeliverSm, answer: Answer) => boolean
}

/** The numbers of all links: a carrier may use any of its binds for a text. */
const numbersOf = (links: ReadonlyArray<Link>): ReadonlyArray<E164> => [
  ...new Set(links.flatMap(({ options }) => options.receives))
]

/** The sender as the carrier writes it, or in full where the link says in which country's form that is. */
const senderIn = ({ options: { national } }: Link, source: DeliverSm["source"]): Written["from"] => {
  const number = national === null ? null : internationalOf(source, national)
  return number === null ? source : { ton: INTERNATIONAL, address: number }
}

const textOf = (runs: ReadonlyArray<Run>, alphabet: Alphabet): string =>
  runs.map((run) => (run.isBehindGap ? " " : "") + decode(run, alphabet)).join("")

/** Null for links without numbers that users write to. */
export const make = Effect.fnUntraced(function* (parts: {
  readonly links: ReadonlyArray<Link>
  readonly hub: EventHub<SmsEvent, StoreError>
  readonly now: () => number
  readonly count: (link: Link) => CountText
}): Effect.fn.Return<SubscriberTexts | null, never, Scope> {
  const { count, hub, links, now } = parts
  const numbers = numbersOf(links)
  if (numbers.length === 0) return null
  const queue = new TextQueue(hub)
  const joining = new Joining()
  const wake = yield* Timer.make(now, () => wake(joining.expire(now())))
  const paces = new WeakMap<Link, Pace>()
  const paceOf = (link: Link): Pace => {
    const known = paces.get(link) ?? new Pace()
    paces.set(link, known)
    return known
  }

  const offer = (link: Link, { source }: DeliverSm, to: E164, text: Joined, isWhole: boolean): void =>
    queue.offer({
      octets: text.runs.reduce((sum, { octets }) => sum + octets.length, 0),
      event: () => ({
        _tag: "Text",
        from: senderIn(link, source),
        to,
        text: textOf(text.runs, link.options.alphabet),
        isWhole,
        carrier: link.options.carrier === "" ? null : link.options.carrier
      }),
      settle: (isHandled) => {
        if (isWhole || !isHandled) count(link)(isHandled ? "taken" : "again")
        text.settle(isHandled)
      }
    })

  return {
    numbers,
    arrived: (link) => void paceOf(link).arrivals++,
    take: (link, message, answer) => {
      const to = writtenTo(message.destination, numbers)
      if (to === null) return false
      const { dataCoding, octets, source } = message
      const place = placeOf(message)
      if (place === null) {
        const settle = (isHandled: boolean) => answer(isHandled ? CommandStatus.OK : CommandStatus.TRY_AGAIN)
        offer(link, message, to, { runs: [{ dataCoding, octets, isBehindGap: false }], settle }, true)
        return true
      }
      const pace = paceOf(link)
      const whole = joining.take(
        {
          // By carrier and not by link: a carrier may divide the parts of one text among several binds.
          of: JSON.stringify([link.options.carrier, source.ton, source.address, to]),
          place,
          coded: { dataCoding, octets },
          pace,
          answer,
          early: (text) => offer(link, message, to, text, false),
          unfinished: () => count(link)("unfinished")
        },
        now()
      )
      wake(now() + pace.patience)
      if (whole !== null) offer(link, message, to, whole, true)
      return true
    }
  }
})
