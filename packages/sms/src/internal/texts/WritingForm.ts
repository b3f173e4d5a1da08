/**
 * Texts of users to numbers of ours as a way in for verifications.
 *
 * Source: RFC 5724 (the `sms` URI, with `body`), which iOS and Android open with the text filled in. A blank is `%20`:
 * a plus sign would stay one.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { sandboxNumbers } from "@watchword/schemas/SandboxPhone"
import { type Form, Receiving } from "@watchword/send/channel/Receiving"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { Service as Gateway, Written } from "../../SmsGateway.ts"
import { senderOf } from "./Originator.ts"

/** Adds the form until the scope closes, where there is a gateway that takes texts or a sandbox. */
export const addForm = Effect.fnUntraced(function* (
  live: Option.Option<Gateway>,
  hasSandbox: boolean
): Effect.fn.Return<void, never, Scope> {
  const receives = Option.getOrUndefined(live)?.receives
  if (receives === undefined && !hasSandbox) return
  const receiving = yield* Receiving
  yield* receiving.add(formOf(receives ?? (() => []), hasSandbox ? sandboxNumbers.sms : []))
})

const formOf = (live: () => ReadonlyArray<E164>, sandbox: ReadonlyArray<E164>): Form => ({
  by: "sms",
  isWritten: true,
  isNational: true,
  isExclusive: false,
  numbers: (mode) => (mode === "live" ? live() : sandbox),
  uri: ({ number, text }) => Effect.succeed(`sms:${number ?? ""}?body=${encodeURIComponent(text)}`)
})

/**
 * Brings a text to its verification, and succeeds once the outcome is stored.
 *
 * Its assurance is `network`: a carrier of ours has it from the sender's own network, and every gateway proves who
 * brings it, by a bind of ours or by the provider's signature. Where a network lets foreign centres write in another's
 * name, only the reply proves more.
 */
export const bring: Effect.Effect<(written: Written) => Effect.Effect<void, StoreError>> = Effect.map(
  Effect.service(Receiving),
  ({ offer }) =>
    ({ from, text, to }) =>
      Effect.asVoid(
        Effect.suspend(() =>
          offer({
            _tag: "Wrote",
            by: "sms",
            mode: "live",
            account: null,
            from: senderOf(from, to),
            assurance: "network",
            text
          })
        )
      )
)
