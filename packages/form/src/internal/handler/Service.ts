/**
 * The service behind a form: one in the same process, or the client of a server.
 */
import type {
  EnteredCode,
  NextStep,
  StartVerification,
  Verification,
  VerificationChecked,
  VerificationQuery
} from "@watchword/client"

/** A client, as `createClient` of `@watchword/client` returns it. */
export interface Remote {
  readonly verify: {
    readonly start: (body: StartVerification) => Promise<Verification>
    readonly check: (id: string, entered: EnteredCode) => Promise<VerificationChecked>
    readonly next: (id: string, body?: NextStep) => Promise<Verification>
    readonly get: (id: string, query?: VerificationQuery) => Promise<Verification>
  }
}

/** An account of a service in the same process, live unless `sandbox` is true. */
export type Account = string | { readonly account: string; readonly sandbox?: boolean }

/** A service in the same process, as `createWatchword` returns it. */
export interface InProcess {
  readonly verify: {
    readonly start: (account: Account, body: StartVerification) => Promise<Verification>
    readonly check: (account: Account, id: string, entered: EnteredCode) => Promise<VerificationChecked>
    readonly next: (account: Account, id: string, body?: NextStep) => Promise<Verification>
    readonly get: (account: Account, id: string, query?: VerificationQuery) => Promise<Verification>
  }
}

/** A service of an account, as a client. */
export const ofAccount = ({ verify }: InProcess, account: Account): Remote => ({
  verify: {
    start: (body) => verify.start(account, body),
    check: (id, entered) => verify.check(account, id, entered),
    next: (id, body) => verify.next(account, id, body),
    get: (id, query) => verify.get(account, id, query)
  }
})
