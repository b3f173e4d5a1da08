/**
 * Answers requests of the form: GET returns its page or the session's state, POST starts, checks and resends.
 */
import { type Texts, directionOf, languageOf } from "../Texts.ts"
import { all } from "../languages/all.ts"
import type { Answer, Problem } from "../Wire.ts"
import { type Answered, type Asked, make as makeActs } from "./Actions.ts"
import * as Approvals from "./Approvals.ts"
import { assetOf, head } from "./Assets.ts"
import { type Body, isFields, readBody } from "./Bodies.ts"
import { type Note, isReason, keeping, keptBy } from "./Cookies.ts"
import { addressOf } from "./Listener.ts"
import { escaped, markup } from "./Markup.ts"
import type { Approved, Options } from "./Options.ts"
import { isForeign } from "./Origin.ts"
import { POLICY, page } from "./Page.ts"
import { type Account, type InProcess, type Remote, ofAccount } from "./Service.ts"
import { type Bound, bound } from "./Sessions.ts"
import { nothing } from "./Views.ts"

/** Answers a request of the form, and never rejects. */
export type Handler = (request: Request) => Promise<Response>

/**
 * The handler of a form, over a service in the same process and one of its accounts.
 *
 * A verification belongs to the session that started it: no other session can see or check it. Requests from other
 * sites' pages are refused. The server learns of an approval through `onApproved`; claims of a browser have no effect.
 *
 * @example
 * ```ts
 * import { formHandler } from "@watchword/form/handler"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const { account_id: account } = await service.operator.account.create({ name: "Acme" })
 * const form = formHandler(service, {
 *   account: { account, sandbox: true },
 *   session: () => "the id of the user's session",
 *   onApproved: ({ session, to }) => console.log(session, "has", to)
 * })
 * const page = await form(new Request("https://shop.example/phone", { headers: { accept: "text/html" } }))
 * console.log(page.status) // 200
 * await service.dispose()
 * ```
 */
export function formHandler(service: InProcess, options: Options & { readonly account: Account }): Handler
/** The handler of a form, over the client of a server. */
export function formHandler(client: Remote, options: Options): Handler
export function formHandler(service: InProcess | Remote, options: Options & { readonly account?: Account }): Handler {
  const { clientIp = addressOf, onFault = report, purpose = "form", session, start } = options
  if (!/^[a-z0-9][a-z0-9_-]{0,38}$/.test(purpose)) {
    throw new TypeError("purpose must be 1 to 39 lower-case letters, digits, hyphens or underscores")
  }
  const terms = {
    codeLength: start?.code_length ?? 6,
    workflow: typeof start?.workflow === "object" ? start.workflow : undefined
  }
  const act = makeActs({
    remote: isInProcess(service, options) ? ofAccount(service, options.account ?? "") : service,
    options,
    terms,
    settle: Approvals.make(options.onApproved),
    onFault,
    clientIp
  })
  const cookie = `watchword-${purpose}`

  const languageFor = (request: Request): string => {
    const { searchParams } = new URL(request.url)
    const given = options.language?.(request) ?? searchParams.get("lang")
    return given ?? request.headers.get("accept-language")?.split(/[,;]/)[0]?.trim() ?? "en"
  }

  const countryFor = (request: Request): string | null =>
    (typeof options.country === "function" ? options.country(request) : options.country) ?? null

  const textsIn = (language: string): Texts => {
    const own = all[language] ?? all["en"]
    if (own === undefined) throw new Error("the form has no texts")
    return { ...own, ...(typeof options.texts === "function" ? options.texts(language) : options.texts) }
  }

  const pageOf = (request: Request, answer: Answer, status = 200): Response => {
    const { id, note: said } = keptBy(request, cookie)
    const language = languageOf(languageFor(request))
    const texts = textsIn(language)
    const problem = said?.problem ?? null
    const known = problem !== null && isReason(problem.reason, texts) ? problem : null
    const country = said?.country || (countryFor(request) ?? DEFAULT_COUNTRY)
    const shown = { ...answer, problem: answer.problem ?? known, readings: said?.readings ?? [] }
    const plain = markup({ answer: shown, texts, language, text: said?.text ?? "", country })
    const isScripted = options.script !== false && answer.problem?.reason !== "session_ended"
    const parts = {
      form: isScripted ? element(language, country, plain) : plain,
      head: head(isScripted),
      language,
      direction: directionOf(language),
      title: texts.title
    }
    const headers = new Headers({ ...PAGE, ...COMMON })
    // A reload does not repeat the message.
    if (said !== null) headers.append("set-cookie", keeping(request, cookie, { id, note: null }))
    return new Response((options.page ?? page)(parts), { status, headers })
  }

  /** The element around the markup, which it replaces once its script has loaded. */
  const element = (language: string, country: string, plain: string): string => {
    const own = typeof options.texts === "function" ? options.texts(language) : options.texts
    const texts = own === undefined ? "" : ` texts="${escaped(JSON.stringify(own))}"`
    return `<watchword-form lang="${language}" country="${escaped(country)}"${texts}>${plain}</watchword-form>`
  }

  /** Redirects a page without a script to the page of the new state. */
  const redirect = (request: Request, body: Body, { answer, approved }: Answered): Response => {
    const { searchParams } = new URL(request.url)
    const lang = searchParams.get("lang")
    const here = lang === null ? "?" : `?lang=${encodeURIComponent(lang)}`
    const headers = new Headers({ ...COMMON, location: answer.location ?? here })
    headers.append(
      "set-cookie",
      keeping(request, cookie, { id: idAfter(request, body, answer), note: noteOf(body, answer) })
    )
    return withApproved(new Response(null, { status: 303, headers }), approved)
  }

  /** The verification that the browser is at after an answer. */
  const idAfter = (request: Request, body: Body, { sent }: Answer): string | null => {
    if (body?.action === "forget") return null
    return sent?.id ?? keptBy(request, cookie).id
  }

  const json = (request: Request, body: Body, { answer, approved }: Answered): Response => {
    const { problem } = answer
    const headers = new Headers({ ...COMMON, "content-type": "application/json" })
    if (problem?.wait != null) headers.set("retry-after", String(problem.wait))
    const status = problem === null ? 200 : statusOf(problem)
    const text = JSON.stringify({ ...answer, country: countryFor(request) })
    if (body !== null) {
      headers.append("set-cookie", keeping(request, cookie, { id: idAfter(request, body, answer), note: null }))
    }
    return withApproved(new Response(text, { status, headers }), approved)
  }

  const askedBy = (request: Request, by: Bound): Asked => ({
    bound: by,
    request,
    last: keptBy(request, cookie).id,
    country: countryFor(request) ?? DEFAULT_COUNTRY
  })

  const get = async (request: Request, by: Bound | null): Promise<Response> => {
    const isPage = (request.headers.get("accept") ?? "").includes("text/html")
    if (by === null) return isPage ? pageOf(request, ENDED, 401) : json(request, null, { answer: ENDED, approved: {} })
    const state = await act({ action: "state", id: null, wait: false }, askedBy(request, by))
    return isPage ? withApproved(pageOf(request, state.answer), state.approved) : json(request, null, state)
  }

  const post = async (request: Request, by: Bound | null): Promise<Response> => {
    if (isForeign(request, options.origin)) return text("This is for the app's own pages.", 403)
    if (by === null)
      return isFields(request) ? pageOf(request, ENDED, 401) : json(request, null, { answer: ENDED, approved: {} })
    const body = await readBody(request)
    if (body === null) return text("The body asks for nothing that this form has.", 400)
    const found = body.action === "forget" ? { answer: nothing, approved: {} } : await tried(body, askedBy(request, by))
    return isFields(request) ? redirect(request, body, found) : json(request, body, found)
  }

  /** After a fault the form stays at its stage, and the user can retry. */
  const tried = async (body: Exclude<Body, null | { action: "forget" }>, asked: Asked): Promise<Answered> => {
    try {
      return await act(body, asked)
    } catch (error) {
      onFault(error)
      const stage = body.action === "start" || body.action === "state" ? "number" : "code"
      return { answer: { ...nothing, stage, problem: UNAVAILABLE }, approved: {} }
    }
  }

  return async (request) => {
    try {
      if (request.method !== "GET" && request.method !== "HEAD" && request.method !== "POST") {
        return text("GET and POST are what this form takes.", 405, { allow: "GET, HEAD, POST" })
      }
      const asset = request.method === "POST" ? null : await assetOf(request)
      if (asset !== null) return asset
      const id = await session(request)
      const by = id == null || id === "" ? null : await bound(id, purpose)
      return await (request.method === "POST" ? post(request, by) : get(request, by))
    } catch (error) {
      onFault(error)
      const answer = { ...nothing, problem: UNAVAILABLE }
      const isPage = (request.headers.get("accept") ?? "").includes("text/html")
      return isPage ? pageOf(request, answer, 503) : json(request, null, { answer, approved: {} })
    }
  }
}

const DEFAULT_COUNTRY = "US"

/** The message for the page after a redirect, with the typed text. */
const noteOf = (body: Body, { problem, readings }: Answer): Note | null => {
  if (problem === null) return null
  const [text, country] = body?.action === "start" ? [body.to.slice(0, 64), body.country.slice(0, 2)] : ["", ""]
  return { problem, text, country, readings }
}

const UNAVAILABLE: Problem = { reason: "unavailable", wait: null }

const ENDED: Answer = { ...nothing, stage: "ended", problem: { reason: "session_ended", wait: null } }

const COMMON = { "cache-control": "no-store", vary: "accept, cookie", "x-content-type-options": "nosniff" }

const PAGE = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "referrer-policy": "same-origin"
}

const isInProcess = (_service: InProcess | Remote, options: { readonly account?: Account }): _service is InProcess =>
  options.account !== undefined

const statusOf = ({ reason }: Problem): number => {
  switch (reason) {
    case "session_ended":
      return 401
    case "too_many":
    case "too_soon":
      return 429
    case "unavailable":
      return 503
    default:
      return 200
  }
}

const text = (message: string, status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(`${message}\n`, { status, headers: { ...COMMON, "content-type": "text/plain", ...headers } })

const withApproved = (response: Response, { headers }: Approved): Response => {
  for (const [name, value] of new Headers(headers)) response.headers.append(name, value)
  return response
}

const report = (error: unknown): void => {
  // oxlint-disable-next-line no-console -- an app that wants it elsewhere has `onFault`
  console.error("The form of a phone number has a fault:", error)
}
