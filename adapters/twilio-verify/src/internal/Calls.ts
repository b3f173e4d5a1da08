/**
 * The service's direct calls as the caller of one request, with its errors in Twilio's words.
 */
import type { ReportVerification, NextStep } from "@watchword/schemas/Verification"
import * as Effect from "effect/Effect"
import {
  type Door,
  type DoorCaller,
  type ListBody,
  type Page,
  type StartVerification,
  type Verification,
  type VerificationChecked,
  type Watchword,
  isWatchwordError
} from "watchword"
import type { Services } from "watchword/Services"
import type { Refused } from "./Answers.ts"
import { type Failure, refusalOf } from "./Errors.ts"

/** The parts of a running service that the door uses. */
export type Service = Pick<Watchword, "bizchat" | "call" | "chatgw" | "drain" | "handle" | "sms" | "verify">

/** A code, with the payment that the user approves. */
interface EnteredCode {
  readonly code: string
  readonly bind?: { readonly amount: string; readonly payee: string }
}

export type Called<A> = Effect.Effect<A, Refused, Services>

export type RecordedChannel = "bizchat" | "call" | "chatgw" | "sms"

export type Named = string | { readonly to: string; readonly purpose: string }

export interface Calls {
  readonly start: (body: StartVerification) => Called<Verification>
  /** @param named a verification's id, or its number and purpose */
  readonly check: (named: Named, entered: EnteredCode) => Called<VerificationChecked>
  readonly get: (id: string) => Called<Verification>
  readonly next: (id: string, body: NextStep) => Called<Verification>
  readonly cancel: (id: string) => Called<Verification>
  readonly report: (id: string, body: ReportVerification) => Called<Verification>
  readonly list: (body: ListBody<Verification>) => Called<Page<Verification>>
  /** The number of a delivery, whose record a channel has. */
  readonly numberOf: (channel: RecordedChannel, id: string) => Called<string>
}

export const make = (service: Service, { verify }: Pick<Door, "verify">, caller: DoorCaller): Calls => ({
  start: (body) => called(verify.start(caller, body)),
  check: (named, entered) =>
    called(verify.check(caller, { ...(typeof named === "string" ? { verification_id: named } : named), ...entered })),
  get: (id) => called(verify.get(caller, id)),
  next: (id, body) => called(verify.next(caller, id, body)),
  cancel: (id) => called(verify.cancel(caller, id)),
  report: (id, body) => called(verify.report(caller, id, body)),
  list: (body) => called(verify.list(caller, body)),
  numberOf: (channel, id) => called(resolved(() => numberOf(service, caller, channel, id)))
})

const numberOf = async (service: Service, caller: DoorCaller, channel: RecordedChannel, id: string): Promise<string> =>
  channel === "call" ? (await service.call.get(caller, id)).callee : (await service[channel].get(caller, id)).to

const called = <A>(call: Effect.Effect<A, Failure, Services>): Called<A> => Effect.mapError(call, refusalOf)

const resolved = <A>(call: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.callback((resume) => {
    call().then(
      (value) => resume(Effect.succeed(value)),
      (error: unknown) => resume(isWatchwordError(error) ? Effect.fail(error) : Effect.die(error))
    )
  })
