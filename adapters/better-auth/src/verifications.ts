/**
 * Verifications of one account: a service in the same process with a caller, or a client whose key has an account.
 */
import type { StartVerification, VerificationChecked } from "@watchword/schemas/Verification"

export type Start = typeof StartVerification.Encoded

/** The number whose code is checked, and the purpose of the code. */
interface Subject {
  readonly to: string
  readonly purpose: string
}

interface Entered {
  readonly code: string
}

/** A running service, as returned by `createWatchword`, and the account that pays. */
export interface InProcess<Caller> {
  readonly service: {
    readonly verify: {
      readonly start: (caller: Caller, body: Start) => Promise<unknown>
      readonly check: (
        caller: Caller,
        subject: Subject,
        entered: Entered
      ) => Promise<typeof VerificationChecked.Encoded>
    }
  }
  readonly caller: Caller
}

/** A client of a remote server, whose key has the scopes `verify:send` and `verify:check`. */
export interface OverHttp {
  readonly client: {
    readonly verify: {
      readonly start: (body: Start) => Promise<unknown>
      readonly check: (subject: Subject, entered: Entered) => Promise<typeof VerificationChecked.Encoded>
    }
  }
}

/** The service that verifies, and the account that it verifies for. */
export type Account<Caller> = InProcess<Caller> | OverHttp

export const of = <Caller>(account: Account<Caller>): OverHttp["client"]["verify"] => {
  if ("client" in account) return account.client.verify
  const { caller, service } = account
  return {
    start: (body) => service.verify.start(caller, body),
    check: (subject, entered) => service.verify.check(caller, subject, entered)
  }
}
