/**
 * The actions of phone users: they write to a number of the service, call it, or sign in at a provider.
 */
import type { Assurance, ReceiveForm } from "@watchword/schemas/Verification"
import { type BadRequest, Conflict, NotFound, invalid } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { PhoneActed, PostPhoneCall, PostPhoneLogin, PostPhoneText } from "@watchword/schemas/SandboxPhone"
import { type Form, type Instruction, type Received, Receiving, type Wrote } from "@watchword/send/channel/Receiving"
import type { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { format as verification } from "@watchword/verify/Format"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { finder } from "../simulator/Receptions.ts"
import { read } from "./Phones.ts"

type Acted<E = never> = Effect.Effect<PhoneActed, E | StoreError>
type Refusal = BadRequest | Conflict

export interface UserActs {
  /** Writes a text to a number of the service. */
  readonly write: (account: AccountId, number: string, text: PostPhoneText) => Acted<Refusal>
  /** Calls a number of the service, which rejects the call. */
  readonly call: (account: AccountId, number: string, call: PostPhoneCall) => Acted<Refusal>
  /** Signs in through the link of a verification. */
  readonly signIn: (account: AccountId, number: string, login: PostPhoneLogin) => Acted<Refusal | NotFound>
  /** Follows an instruction. */
  readonly follow: (account: AccountId, number: E164, instruction: Instruction) => Acted
}

export const make: Effect.Effect<UserActs, never, Settings | Store> = Effect.gen(function* () {
  const receiving = yield* Receiving
  const store = yield* Store
  const phoneOf = yield* finder

  const offered = (received: Received): Acted =>
    Effect.map(receiving.offer(received), (result) => ({ by: received.by, result }))

  /** A number of the service, and its form, which is one of some. */
  const reached = Effect.fnUntraced(function* <By extends ReceiveForm>(to: string, wanted: ReadonlyArray<By>) {
    const forms = yield* receiving.forms
    const all = wanted.flatMap((by) =>
      forms.filter((form) => form.by === by).flatMap((form) => numbersOf(form).map((number) => ({ by, number })))
    )
    const found = all.find(({ number }) => number === to)
    return found === undefined ? yield* notReached(all.map(({ number }) => number)) : found
  })

  /** Fails for a phone that cannot act by a form. */
  const checkPhone = Effect.fnUntraced(function* (account: AccountId, number: E164, by: ReceiveForm) {
    const phone = yield* phoneOf(account, number)
    if (phone?.offline === true) {
      return yield* new Conflict({ message: "The phone has no network.", reason: "offline" })
    }
    if ((by === "bizchat" && phone?.bizchat === "none") || (by === "telegram_login" && phone?.chatgw === false)) {
      return yield* new Conflict({ message: "The phone has no account on the platform.", reason: "no_account" })
    }
  })

  /** The link at which a verification asks its user to sign in. */
  const linkOf = Effect.fnUntraced(function* (account: AccountId, wireId: string) {
    const id = Option.getOrNull(verification.toId?.(wireId) ?? Option.none())
    const found =
      id === null ? Option.none() : yield* store.find({ account, mode: "sandbox", channel: verification.product, id })
    if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such verification in the sandbox." })
    const link = (yield* receiving.instructions(found.value)).find(({ shown }) => shown.by === "telegram_login")
    return link === undefined ? yield* notAsked() : link
  })

  return {
    write: Effect.fnUntraced(function* (account, typed, { assurance, default_country, text, to, withheld }) {
      const from = yield* read(typed, default_country)
      const { by } = yield* reached(to, WRITTEN)
      yield* checkPhone(account, from, by)
      return yield* offered(wrote(by, text, senderOf(account, from, by, { assurance, withheld })))
    }),
    call: Effect.fnUntraced(function* (account, typed, { assurance, default_country, to, withheld }) {
      const from = yield* read(typed, default_country)
      const { number } = yield* reached(to, ["call"])
      yield* checkPhone(account, from, "call")
      const sender = senderOf(account, from, "call", { assurance, withheld })
      return yield* offered({ _tag: "Called", by: "call", to: number, ...sender })
    }),
    signIn: Effect.fnUntraced(function* (account, typed, { default_country, verification_id, withheld }) {
      const from = yield* read(typed, default_country)
      const { token } = yield* linkOf(account, verification_id)
      yield* checkPhone(account, from, "telegram_login")
      const sender = senderOf(account, from, "telegram_login", { withheld })
      return yield* offered({ _tag: "SignedIn", by: "telegram_login", token, ...sender })
    }),
    follow: (account, from, { number, shown: { by, text }, token }) => {
      const sender = senderOf(account, from, by, {})
      if (by === "telegram_login") return offered({ _tag: "SignedIn", by, token, ...sender })
      if (by !== "call") return offered(wrote(by, text ?? "", sender))
      return number === null
        ? Effect.succeed({ by, result: "unknown" })
        : offered({ _tag: "Called", by, to: number, ...sender })
    }
  }
})

const WRITTEN = ["sms", "bizchat"] as const satisfies ReadonlyArray<ReceiveForm>

interface Given {
  readonly assurance?: Assurance | undefined
  readonly withheld?: boolean | undefined
}

const senderOf = (account: AccountId, from: E164, by: ReceiveForm, { assurance, withheld = false }: Given) => ({
  mode: "sandbox" as const,
  account,
  from: withheld ? null : from,
  assurance: assurance ?? usual[by]
})

/** The assurance of a form that is set up well. */
const usual: Readonly<Record<ReceiveForm, Assurance>> = {
  telegram_login: "account",
  bizchat: "account",
  sms: "network",
  call: "network"
}

const wrote = (by: (typeof WRITTEN)[number], text: string, sender: ReturnType<typeof senderOf>): Wrote => ({
  _tag: "Wrote",
  by,
  text,
  ...sender
})

const numbersOf = ({ numbers }: Form): ReadonlyArray<E164> => numbers("sandbox") ?? []

const notReached = (numbers: ReadonlyArray<E164>) =>
  invalid([
    {
      path: "to",
      message:
        numbers.length === 0
          ? "must be a number of the service; it has no such number in the sandbox"
          : `must be a number of the service in the sandbox: ${numbers.join(", ")}`
    }
  ])

const notAsked = () => new Conflict({ message: "The verification does not wait for a sign-in.", reason: "not_asked" })
