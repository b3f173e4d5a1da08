/**
 * Ways in of a world, and users who write, call and sign in.
 */
import { assert } from "@effect/vitest"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Verification } from "@watchword/schemas/Verification"
import { type Form, Receiving } from "@watchword/send/channel/Receiving"
import * as Effect from "effect/Effect"
import { inWorld, number } from "./fixture.ts"

export const OURS = E164.make("+4930901829999")
export const SECOND = E164.make("+4930901829998")
export const other = E164.make("+4915123456780")

export const written = (by: "sms" | "bizchat"): Form => ({
  by,
  isWritten: true,
  isNational: by === "sms",
  isExclusive: false,
  numbers: () => [OURS],
  uri: ({ number, text }) => Effect.succeed(`${by}:${number}?body=${encodeURIComponent(text)}`)
})

export const called = (numbers: ReadonlyArray<E164>): Form => ({
  by: "call",
  isWritten: false,
  isNational: true,
  isExclusive: true,
  numbers: () => numbers,
  uri: ({ number }) => Effect.succeed(`tel:${number}`)
})

export const login: Form = {
  by: "telegram_login",
  isWritten: false,
  isNational: false,
  isExclusive: false,
  numbers: () => null,
  uri: ({ token }) => Effect.succeed(`https://login.example/auth?state=${token}`)
}

/** A world with all forms. */
export const inWorldWithForms = <A, E, R>(
  test: Parameters<typeof inWorld<A, E, R>>[0],
  forms: ReadonlyArray<Form> = [written("sms"), written("bizchat"), called([OURS]), login]
) =>
  inWorld((world) =>
    Effect.gen(function* () {
      const { add } = yield* Receiving
      return yield* Effect.scoped(Effect.andThen(Effect.forEach(forms, add, { discard: true }), test(world)))
    })
  )

export const receive = (by: ReadonlyArray<string>, more: object = {}) => ({
  channel: "receive",
  by,
  timeout: 60,
  ...more
})
export const SMS = { channel: "sms", timeout: 60 }

/** The text that a user is asked to send. */
export const textToSend = ({ present = [] }: Verification): string =>
  present[0]?.text ?? assert.fail("there is no text")

export const writes = (text: string, more: object = {}) =>
  Effect.flatMap(Receiving, ({ offer }) =>
    offer({
      _tag: "Wrote",
      by: "sms",
      mode: "live",
      account: null,
      from: E164.make(number),
      assurance: "network",
      text,
      ...more
    })
  )

export const calls = (more: object = {}) =>
  Effect.flatMap(Receiving, ({ offer }) =>
    offer({
      _tag: "Called",
      by: "call",
      mode: "live",
      account: null,
      from: E164.make(number),
      assurance: "claimed",
      to: OURS,
      ...more
    })
  )

export const signsIn = (uri: string, more: object = {}) =>
  Effect.flatMap(Receiving, ({ offer }) =>
    offer({
      _tag: "SignedIn",
      by: "telegram_login",
      mode: "live",
      account: null,
      from: E164.make(number),
      assurance: "account",
      token: new URL(uri).searchParams.get("state") ?? "",
      ...more
    })
  )
