/**
 * The service's direct calls as the caller of one request, with its errors in Twilio's words.
 */
import type { ReportVerification, NextStep } from "@watchword/schemas/Verification"
import * as Effect from "effect/Effect"
import {
  type DoorCaller,
  type ListBody,
  type Page,
  type StartVerification,
  type Verification,
  type VerificationChecked,
  type Watchword,
  isWatchwordError
} from "watchword"
import type { Refused } from "./Answers.ts"
import { refusalOf } from "./Errors.ts"

/** The parts of a running service that the door uses. */
export type Service = Pick<Watchword, "bizchat" | "call" | "chatgw" | "drain" | "handle" | "sms" | "verify">

/** A code, with the payment that the user approves. */
interface EnteredCode {
  readonly code: string
  readonly bind?: { readonly amount: string; readonly payee: string }
}

type Called<A> = Effect.Effect<A, Refused>

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

export const make = (service: Service, caller: DoorCaller): Calls => {
  const { verify } = service
  return {
    start: (body) => called(() => verify.start(caller, body)),
    check: (named, entered) => called(() => verify.check(caller, named, entered)),
    get: (id) => called(() => verify.get(caller, id)),
    next: (id, body) => called(() => verify.next(caller, id, body)),
    cancel: (id) => called(() => verify.cancel(caller, id)),
    report: (id, body) => called(() => verify.report(caller, id, body)),
    list: (body) => called(async () => verify.list(caller, body)),
    numberOf: (channel, id) => called(() => numberOf(service, caller, channel, id))
  }
}

const numberOf = async (service: Service, caller: DoorCaller, channel: RecordedChannel, id: string): Promise<string> =>
  channel === "call" ? (await service.call.get(caller, id)).callee : (await service[channel].get(caller, id)).to

const called = <A>(call: () => Promise<A>): Called<A> =>
  Effect.callback((resume) => {
    call().then(
      (value) => resume(Effect.succeed(value)),
      (error: unknown) => resume(isWatchwordError(error) ? Effect.fail(refusalOf(error)) : Effect.die(error))
    )
  })
