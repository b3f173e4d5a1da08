/**
 * Actions of users: they write to a number of the service, call it, or sign in with a provider.
 *
 * A channel, or a provider's sign-in, adds a {@link Form} for each way in, and offers whatever comes in. Verifications
 * show the forms to users and take the offers. Neither side knows the other.
 *
 * ```
 * carrier ── deliver_sm ──▶ channel ── offer(Wrote) ──▶ verifications ──▶ approved
 *         ◀── answer ─────          ◀── once stored ──
 * ```
 */
import type { Mode } from "@watchword/schemas/Channel"
import type { AccountId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Assurance, Presented, ReceiveForm, ReceivedResult } from "@watchword/schemas/Verification"
import type { Delivery } from "@watchword/store/Delivery"
import { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"

/** Who did something, and how sure that is. */
interface From {
  readonly mode: Mode
  /** The account whose verifications it can be about, as a phone of the sandbox has one; null for all accounts. */
  readonly account: AccountId | null
  /** The user's number; null if it is withheld, or unknown to the platform. */
  readonly from: E164 | null
  readonly assurance: Assurance
}

/** A text to a number of the service, whole. */
export interface Wrote extends From {
  readonly _tag: "Wrote"
  readonly by: Extract<ReceiveForm, "sms" | "bizchat">
  readonly text: string
}

/** A call to a number of the service, which is rejected. */
export interface Called extends From {
  readonly _tag: "Called"
  readonly by: Extract<ReceiveForm, "call">
  /** The number that was called. */
  readonly to: E164
}

/** The return from a provider's page, with the token that the link to it had. */
export interface SignedIn extends From {
  readonly _tag: "SignedIn"
  readonly by: Extract<ReceiveForm, "telegram_login">
  readonly token: string
}

export type Received = Wrote | Called | SignedIn

/**
 * The result of an offer: `unknown` if no verification has its token, `late` if that verification does not wait for it
 * any more, `blocked` if its sender has sent too many wrong tokens.
 */
export type Result = ReceivedResult | "unknown" | "late" | "blocked"

/** The invitation of a user to act. */
export interface Invitation {
  readonly mode: Mode
  readonly to: E164
  /** The number of the service, which is one of the form's; null for a form without numbers. */
  readonly number: E164 | null
  /** Names the verification: 21 characters of base 32. */
  readonly token: string
  /** The sentence to send, with the token in it. */
  readonly text: string
}

/** One way in. */
export interface Form {
  readonly by: ReceiveForm
  /** Whether the user writes a text with the token in it. */
  readonly isWritten: boolean
  /** Whether users pay to reach a number abroad: only a number of the user's own country is shown then. */
  readonly isNational: boolean
  /** Whether a number can wait for only one verification of a user at a time, because a call carries no token. */
  readonly isExclusive: boolean
  /** The numbers of the service in a mode, without any if the form is not offered; null for a form without numbers. */
  readonly numbers: (mode: Mode) => ReadonlyArray<E164> | null
  /** The link that a user opens. */
  readonly uri: (invitation: Invitation) => Effect.Effect<string>
}

/** The instructions of one form for the user of a verification. */
export interface Instruction {
  /** As an app shows them. */
  readonly shown: Presented
  readonly number: E164 | null
  readonly token: string
}

/** The instructions for the user of a verification at present; none while it does not wait for the user. */
type Instruct = (verification: Delivery) => Effect.Effect<ReadonlyArray<Instruction>, StoreError>

export interface Service {
  /** Adds a form, until the scope closes. */
  readonly add: (form: Form) => Effect.Effect<void, never, Scope>
  /** The forms that were added. */
  readonly forms: Effect.Effect<ReadonlyArray<Form>>
  /** Has a function take whatever is offered, until the scope closes; offers fail then. There is one at a time. */
  readonly take: (hear: (received: Received) => Effect.Effect<Result, StoreError>) => Effect.Effect<void, never, Scope>
  /** Brings something received to its verification. Succeeds only once the outcome is stored. */
  readonly offer: (received: Received) => Effect.Effect<Result, StoreError>
  /** Has a function instruct the users of verifications, until the scope closes. There is one at a time. */
  readonly instructBy: (instruct: Instruct) => Effect.Effect<void, never, Scope>
  /** The instructions for a user, by which phones of the sandbox act. */
  readonly instructions: Instruct
}

/** The result in a program without verifications. */
const unheard = (): Effect.Effect<Result, StoreError> => Effect.succeed("unknown")

const none: Service = {
  add: () => Effect.void,
  forms: Effect.succeed([]),
  take: () => Effect.void,
  offer: unheard,
  instructBy: () => Effect.void,
  instructions: () => Effect.succeed([])
}

/** The ways in of a service; without a service, no way in. */
export const Receiving: Context.Reference<Service> = Context.Reference("@watchword/send/channel/Receiving", {
  defaultValue: () => none
})

type Hear = (received: Received) => Effect.Effect<Result, StoreError>

/** A carrier sends the text again, to the next process. */
const closing: Hear = () =>
  Effect.fail(new StoreError({ reason: "Unavailable", message: "Verifications have stopped: the service is closing." }))

/** The ways in of one service. Offers wait for the taker: channels start before it. */
export const layer: Layer.Layer<never> = Layer.effect(
  Receiving,
  Effect.map(Latch.make(false), (begun): Service => {
    const forms = new Set<Form>()
    let hear: Hear = (received) =>
      Effect.andThen(
        begun.await,
        Effect.suspend(() => hear(received))
      )
    let instruct: Instruct = none.instructions
    return {
      add: (form) =>
        Effect.acquireRelease(
          Effect.sync(() => forms.add(form)),
          () => Effect.sync(() => forms.delete(form))
        ),
      forms: Effect.sync(() => [...forms]),
      take: (taker) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            hear = taker
            begun.openUnsafe()
          }),
          () => Effect.sync(() => void (hear = closing))
        ),
      offer: (received) => Effect.suspend(() => hear(received)),
      instructBy: (by) =>
        Effect.acquireRelease(
          Effect.sync(() => void (instruct = by)),
          () => Effect.sync(() => void (instruct = none.instructions))
        ),
      instructions: (verification) => Effect.suspend(() => instruct(verification))
    }
  })
)
