/**
 * The actions of a session: start, check, resend, switch the channel, and read the state.
 */
import type { StartVerification, Verification } from "@watchword/client"
import { readCode } from "../Code.ts"
import { numbers } from "../numbers/Numbers.ts"
import type { Answer, Ask, Problem, Reason } from "../Wire.ts"
import type { Settle } from "./Approvals.ts"
import type { Approved, Options } from "./Options.ts"
import { isFault, problemOf, refusalOf } from "./Problems.ts"
import type { Remote } from "./Service.ts"
import type { Bound } from "./Sessions.ts"
import { type Terms, isActing, nothing, viewOf } from "./Views.ts"

/** A request of a session. */
export interface Asked {
  readonly bound: Bound
  readonly request: Request
  /** The verification that the browser was last at, by its cookie; null without one. */
  readonly last: string | null
  readonly country: string
}

export interface Parts {
  readonly remote: Remote
  readonly options: Options
  readonly terms: Terms
  readonly settle: Settle
  readonly onFault: (error: unknown) => void
  readonly clientIp: (request: Request) => string | null | undefined
}

/** An answer, and the app's additions. */
export interface Answered {
  readonly answer: Answer
  readonly approved: Approved
}

export type Act = (ask: Ask, asked: Asked) => Promise<Answered>

export const make = ({ clientIp, onFault, options, remote, settle, terms }: Parts): Act => {
  const { verify } = remote

  /** The session's own verification; null if it does not exist or belongs to another session. */
  const own = async (id: string | null, { bound }: Asked): Promise<Verification | null> => {
    if (id === null || !/^vrf_[0-9A-Z]{26}$/.test(id)) return null
    const found = await verify.get(id, { qr: true }).catch((error: unknown) => {
      if (refusalOf(error)?.code === "NOT_FOUND") return null
      throw error
    })
    return found?.purpose === bound.purpose ? found : null
  }

  /** A verification once its user has acted, or after some seconds; as it is where the service waits for no more. */
  const after = (verification: Verification): Promise<Verification> =>
    verify.get(verification.id, { qr: true, wait: WAIT }).catch((error: unknown) => {
      if (refusalOf(error)?.code === "TOO_MANY_REQUESTS") return verification
      throw error
    })

  const view = async (verification: Verification, asked: Asked, problem: Problem | null = null): Promise<Answered> => {
    const answer = viewOf(verification, terms, Date.now(), problem)
    if (verification.status !== "approved") return answered(answer)
    const { bound, request } = asked
    const approved = await settle({ verification, to: verification.to, session: bound.session, request }, Date.now())
    if (approved === null) return answered({ ...answer, stage: "ended", problem: plain("ended") })
    return { answer: { ...answer, location: approved.location ?? options.location ?? null }, approved }
  }

  /** The problem for the user. A fault of the app or the service is also reported. */
  const refused = (error: unknown): Problem => {
    const refusal = refusalOf(error)
    const problem = refusal === null ? plain("unavailable") : problemOf(refusal)
    if (isFault(problem)) onFault(error)
    return problem
  }

  const start = async ({ country, language, to }: Ask & { action: "start" }, asked: Asked): Promise<Answered> => {
    const read = numbers.read(to, country || asked.country)
    if ("reason" in read) return answered({ ...nothing, problem: plain(read.reason), readings: read.readings })
    const { bound, last } = asked
    const address = clientIp(asked.request)
    const body: StartVerification = {
      client_ref: bound.ref,
      ...(isWebOrigin(options.origin) && { web_origin: options.origin }),
      ...options.start,
      ...(address && { client_ip: address }),
      ...(isLocale(language) && { locale: language }),
      to: read.number,
      purpose: bound.purpose
    }
    try {
      const started = await verify.start(body)
      return await view((started.present === undefined ? null : await own(started.id, asked)) ?? started, asked)
    } catch (error) {
      const problem = refused(error)
      if (problem.reason !== "too_soon" && problem.reason !== "no_sends") return answered({ ...nothing, problem })
      // The code is on its way: another tab has requested it, or this tab did before a reload.
      const pending = await own(last, asked)
      return pending?.to === read.number ? view(pending, asked, problem) : answered({ ...nothing, problem })
    }
  }

  /** Runs an action on the session's verification, and returns the state after it. */
  const change = async (
    id: string,
    asked: Asked,
    act: (verification: Verification) => Promise<Problem | null>
  ): Promise<Answered> => {
    const verification = await own(id, asked)
    if (verification === null) return answered(gone)
    if (verification.status !== "pending") return view(verification, asked)
    const problem = await act(verification).catch(refused)
    const after = await own(id, asked)
    return after === null ? answered(gone) : view(after, asked, problem)
  }

  const check = ({ code: text, id }: Ask & { action: "check" }, asked: Asked): Promise<Answered> =>
    change(id, asked, async ({ test_number: isTest }) => {
      const { code, hasLetters } = readCode(text, terms.codeLength)
      if (hasLetters) return plain("code_letters")
      // A test number's code may have another length.
      if (code.length < (isTest ? LEAST : terms.codeLength)) return plain("code_incomplete")
      const { valid } = await verify.check(id, { code }).catch((error: unknown) => {
        // Another tab was faster. The verification, read below, says so.
        if (refusalOf(error)?.code === "CONFLICT") return { valid: true }
        throw error
      })
      return valid ? null : plain("wrong_code")
    })

  return async (ask, asked) => {
    switch (ask.action) {
      case "start":
        return start(ask, asked)
      case "check":
        return check(ask, asked)
      case "resend":
        return change(ask.id, asked, async ({ channel }) => {
          await verify.next(ask.id, { channel })
          return null
        })
      case "other":
        return change(ask.id, asked, async () => {
          await verify.next(ask.id)
          return null
        })
      case "state": {
        const found = await own(ask.id ?? asked.last, asked)
        if (found === null) return answered(ask.id === null ? nothing : gone)
        const verification = ask.wait && isActing(found) ? await after(found) : found
        // No check has announced an approval without a code to the app.
        return isByUser(verification) ? view(verification, asked) : answered(viewOf(verification, terms, Date.now()))
      }
    }
  }
}

/** How many seconds a request waits for the user, fewer than after which proxies give up. */
const WAIT = 20

/** Whether the user's action has approved a verification, without a code. */
const isByUser = ({ received = [] }: Verification): boolean => received.some(({ result }) => result === "approved")

/** The shortest code that there is. */
const LEAST = 4

const answered = (answer: Answer): Answered => ({ answer, approved: {} })

const plain = (reason: Reason): Problem => ({ reason, wait: null })

const gone: Answer = { ...nothing, stage: "ended", problem: plain("ended") }

const isLocale = (tag: string): boolean => /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(tag)

/** Whether browsers offer codes to pages of an origin: the text names its host, and no port. */
const isWebOrigin = (origin: string | undefined): boolean => {
  if (origin === undefined || !URL.canParse(origin)) return false
  const { port, protocol } = new URL(origin)
  return protocol === "https:" && port === ""
}
