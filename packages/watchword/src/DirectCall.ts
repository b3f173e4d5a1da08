/**
 * The call channel for programs that call it in-process: the same checks as over HTTP, promises out.
 */
import { Call, type Service } from "@watchword/call/Call"
import type { Accounts } from "@watchword/ledger/Accounts"
import type { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import { type CallReported, type Cdr, FlashCall, type FlashCalled, ReportCall } from "@watchword/schemas/Call"
import type { Principal } from "@watchword/schemas/Principal"
import * as Effect from "effect/Effect"
import { type Keys, checked, sendKeys } from "./Arguments.ts"
import { type Caller, principalOf } from "./Principals.ts"

export interface DirectCall {
  /**
   * Places a call. The promise resolves when the phone first rings, and rejects with one of the errors of
   * `@watchword/schemas/Errors`, whose `_tag` is the code.
   */
  readonly flash: (caller: Caller, call: typeof FlashCall.Encoded, keys?: Keys) => Promise<FlashCalled>
  readonly get: (caller: Caller, uuid: string) => Promise<Cdr>
  readonly list: (caller: Caller, body?: typeof ListBody.Encoded) => Promise<Envelope<Cdr>>
  /** Ends a call before its time. */
  readonly hangup: (caller: Caller, uuid: string) => Promise<void>
  readonly report: (caller: Caller, report: typeof ReportCall.Encoded) => Promise<CallReported>
}

type Run = <A, E>(effect: Effect.Effect<A, E, Call | Accounts>) => Promise<A>

const flashCall = checked(FlashCall)
const listBody = checked(ListBody)
const reportCall = checked(ReportCall)

/** @param run runs an effect with the service's own context */
export const make = (run: Run): DirectCall => {
  const as = <A, E>(caller: Caller, use: (call: Service, principal: Principal) => Effect.Effect<A, E>): Promise<A> =>
    run(Effect.flatMap(principalOf(caller), (principal) => Call.use((call) => use(call, principal))))

  return {
    flash: (caller, wanted, keys = {}) =>
      as(caller, (call, principal) =>
        Effect.flatMap(Effect.all([flashCall(wanted), sendKeys(keys)]), ([body, given]) =>
          call.flash(principal, body, given)
        )
      ),
    get: (caller, uuid) => as(caller, (call, principal) => call.get(principal, uuid)),
    list: (caller, body = {}) =>
      as(caller, (call, principal) => Effect.flatMap(listBody(body), (checked) => call.list(principal, checked))),
    hangup: (caller, uuid) => as(caller, (call, principal) => call.hangup(principal, uuid)),
    report: (caller, body) =>
      as(caller, (call, principal) => Effect.flatMap(reportCall(body), (checked) => call.report(principal, checked)))
  }
}
