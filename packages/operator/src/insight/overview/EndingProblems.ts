/**
 * What ends on a day that is known before: certificates of carriers, and test numbers of accounts.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { masked } from "@watchword/schemas/PhoneNumber"
import type { Certificate } from "@watchword/send/channel/Certificates"
import type { Problem } from "./Problem.ts"
import { LIMITS } from "./ProblemRules.ts"

export interface EndingFacts {
  /** Of connections of running processes. */
  readonly certificates: ReadonlyArray<Certificate>
  /** Of accounts that are not suspended; ended ones are left out. */
  readonly testNumbers: ReadonlyArray<{
    readonly account: AccountId
    readonly name: string
    readonly number: string
    readonly until: number
  }>
}

export const endingProblems = ({ certificates, testNumbers }: EndingFacts, now: number): ReadonlyArray<Problem> => [
  ...certificates.filter(({ ends }) => ends - now < LIMITS.certificate.within).map((each) => ofCertificate(each, now)),
  ...testNumbers.filter(({ until }) => until - now < LIMITS.testNumber.within).map(ofTestNumber)
]

const ofCertificate = ({ connection, ends }: Certificate, now: number): Problem => ({
  kind: "certificate_ends",
  about: connection,
  severity: ends - now < LIMITS.certificate.bad ? "bad" : "warn",
  text: `The certificate of ${connection} ${ends <= now ? "has ended" : "ends"} at ${iso(ends)}: its next connection ${ends <= now ? "fails" : "after that fails"}, unless the other side renews it.`,
  link: "#/connections",
  act: null
})

const ofTestNumber = ({ account, name, number, until }: EndingFacts["testNumbers"][number]): Problem => ({
  kind: "test_number_ends",
  about: `${account} ${masked(number)}`,
  severity: "warn",
  text: `The test number ${masked(number)} of ${name || account} ends at ${iso(until)}; from then on its code is refused.`,
  link: `#/accounts/${account}`,
  act: null
})

const iso = (at: number): string => new Date(at).toISOString()
