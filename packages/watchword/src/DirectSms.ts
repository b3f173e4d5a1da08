/**
 * The SMS channel for programs that call it in-process: the same checks as over HTTP, promises out.
 */
import type { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import type { Accounts } from "@watchword/ledger/Accounts"
import type { Principal } from "@watchword/schemas/Principal"
import { ReportSms, type Sdr, SendSms, type SmsReported, type SmsSent } from "@watchword/schemas/Sms"
import { type Service, Sms } from "@watchword/sms/Sms"
import * as Effect from "effect/Effect"
import { type Keys, checked, sendKeys } from "./Arguments.ts"
import { type Caller, principalOf } from "./Principals.ts"

export interface DirectSms {
  /**
   * Sends a text. The promise resolves once the carrier has taken it, and rejects with one of the errors of
   * `@watchword/schemas/Errors`, whose `_tag` is the code.
   */
  readonly send: (caller: Caller, message: typeof SendSms.Encoded, keys?: Keys) => Promise<SmsSent>
  readonly get: (caller: Caller, messageId: string) => Promise<Sdr>
  readonly list: (caller: Caller, body?: typeof ListBody.Encoded) => Promise<Envelope<Sdr>>
  readonly report: (caller: Caller, report: typeof ReportSms.Encoded) => Promise<SmsReported>
}

type Run = <A, E>(effect: Effect.Effect<A, E, Sms | Accounts>) => Promise<A>

const sendSms = checked(SendSms)
const listBody = checked(ListBody)
const reportSms = checked(ReportSms)

/** @param run runs an effect with the service's own context */
export const make = (run: Run): DirectSms => {
  const as = <A, E>(caller: Caller, use: (sms: Service, principal: Principal) => Effect.Effect<A, E>): Promise<A> =>
    run(Effect.flatMap(principalOf(caller), (principal) => Sms.use((sms) => use(sms, principal))))

  return {
    send: (caller, message, keys = {}) =>
      as(caller, (sms, principal) =>
        Effect.flatMap(Effect.all([sendSms(message), sendKeys(keys)]), ([body, given]) =>
          sms.send(principal, body, given)
        )
      ),
    get: (caller, messageId) => as(caller, (sms, principal) => sms.get(principal, messageId)),
    list: (caller, body = {}) =>
      as(caller, (sms, principal) => Effect.flatMap(listBody(body), (checked) => sms.list(principal, checked))),
    report: (caller, body) =>
      as(caller, (sms, principal) => Effect.flatMap(reportSms(body), (checked) => sms.report(principal, checked)))
  }
}
