/**
 * Telegram Login as a way for users to prove their number: a form of `receive` steps, and the page that Telegram leads
 * users back to.
 *
 * ```
 * app ── start ──▶ service              link with state, nonce and challenge, from the token
 * user ── link ──▶ Telegram             signs in, shares the number
 * user ── code, state ──▶ this page ── code, verifier ──▶ Telegram
 *                               ◀── id_token: number ──
 *                         ── SignedIn ──▶ verification
 * ```
 *
 * A sandbox key's link leads to the provider of the sandbox, where there is one.
 *
 * Source: core.telegram.org/bots/telegram-login; OpenID Connect Core §3.1.
 */
import type { Mode } from "@watchword/schemas/Channel"
import * as Features from "@watchword/send/channel/Features"
import { type Form, type Result, Receiving } from "@watchword/send/channel/Receiving"
import { PublicUrl, type Visit, type VisitRequest } from "@watchword/send/gateway"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { type App, type Client, type Failure, make as makeClient } from "./Client.ts"
import { overHttp } from "./Exchange.ts"
import * as Links from "./Links.ts"
import { type TelegramLoginError, checkedBase } from "./Options.ts"
import * as Page from "./Page.ts"
import type { Playing } from "./Playing.ts"
import { Tries } from "./Tries.ts"

/** The pages to which users return, by mode: a state of the sandbox opens nothing live. */
const RETURNS = { live: "/login/telegram", sandbox: "/login/telegram/sandbox" } as const satisfies Record<
  Mode,
  `/${string}`
>

export interface Parts {
  /** The app at Telegram; null for a service without one. */
  readonly app: App | null
  /** Null for a service whose sandbox plays no provider. */
  readonly playing: Playing | null
  /** The address of the interface, where that is not the service's `publicUrl`; asked whenever a link is made. */
  readonly publicUrl: (() => string | undefined) | null
}

export type TelegramLogin = Features.Any<TelegramLoginError>

export const make = ({ app, playing, publicUrl }: Parts): TelegramLogin => {
  const feature = Features.make({
    name: "telegram_login",
    actions: [],
    group: HttpApiGroup.make("telegram_login"),
    visits: [
      ...(app === null ? [] : [{ method: "GET", path: RETURNS.live } as const]),
      ...(playing === null ? [] : [{ method: "GET", path: RETURNS.sandbox } as const, ...playing.visits])
    ],
    service: opened({ app, playing, publicUrl }),
    operations: () => ({})
  })
  if (app === null) return feature
  const check = Effect.flatMap(PublicUrl, (given) => {
    const base = checkedBase(publicUrl?.() ?? given)
    return typeof base === "string" ? Effect.void : Effect.fail(base)
  })
  return { ...feature, start: Effect.andThen(check, feature.start) }
}

const opened = Effect.fnUntraced(function* ({ app, playing, publicUrl }: Parts) {
  const receiving = yield* Receiving
  const links = yield* Links.make
  const given = yield* PublicUrl
  const base = () => (publicUrl?.() ?? given)?.replace(/\/+$/, "")
  const played = playing === null ? null : yield* playing.open(base, RETURNS.sandbox)
  const tries = new Tries()
  const clients: { readonly [M in Mode]: () => Client | null } = {
    live: lastly((base) => (app === null ? null : makeClient(app, base + RETURNS.live, overHttp)), base),
    sandbox: lastly(
      (base) => (played === null ? null : makeClient(played.appAt(base), base + RETURNS.sandbox, played.exchange)),
      base
    )
  }

  const form: Form = {
    by: "telegram_login",
    isWritten: false,
    isNational: false,
    isExclusive: false,
    numbers: (mode) => (clients[mode]() === null ? [] : null),
    uri: Effect.fnUntraced(function* ({ mode, to, token }) {
      const client = clients[mode]()
      // A verification outlives the start of a service that has no login any more.
      if (client === null) return ""
      const [link, now] = yield* Effect.all([links.of(mode, token), Clock.currentTimeMillis])
      return yield* Effect.promise(() => client.authorizeUrl(link, now, mode === "sandbox" ? to : null))
    })
  }

  const returned = Effect.fnUntraced(function* (mode: Mode, query: URLSearchParams) {
    const { code, error, issuer, state } = returnedIn(query)
    const client = clients[mode]()
    const link = state === null || client === null ? null : yield* links.by(mode, state)
    if (client === null || link === null) return "invalid"
    if (issuer !== null && issuer !== issuerOf(mode)) return "invalid"
    if (error === "access_denied") return "cancelled"
    if (!tries.isLeft(link.state)) return "invalid"
    if (error !== null) return yield* failed(error)
    if (code === null) return "invalid"
    const now = yield* Clock.currentTimeMillis
    const found = yield* Effect.promise(() => client.signedIn(code, link, now))
    if (typeof found === "string") return yield* failed(found)
    const { token } = link
    const result = yield* receiving.offer({
      _tag: "SignedIn",
      by: "telegram_login",
      mode,
      account: null,
      from: found.from,
      assurance: "account",
      token
    })
    return outcomes[result] ?? "failed"
  })

  const issuerOf = (mode: Mode): string | undefined => {
    const at = base()
    return mode === "live" || at === undefined ? app?.issuer : played?.appAt(at).issuer
  }

  const visit: Visit = (request) => {
    const mode = modeOf(request)
    if (mode === null) return played === null ? nowhere : played.visit(request)
    const outcome = Effect.catchTag(returned(mode, request.query), "StoreError", (error) =>
      Effect.as(Effect.logError("a sign-in with Telegram was not stored", error), "failed" as const)
    )
    return Effect.flatMap(outcome, (outcome) => Effect.promise(() => Page.answer(outcome, request.acceptLanguage)))
  }

  yield* receiving.add(form)
  if (app !== null && (yield* BackgroundAllowed)) {
    const now = yield* Clock.currentTimeMillis
    yield* Effect.forkScoped(Effect.promise(async () => clients.live()?.prepare(now)))
  }
  const health = Effect.map(Clock.currentTimeMillis, (now) => {
    const client = app === null ? null : clients.live()
    return client === null ? [] : [{ name: "telegram", up: client.isUp(now) }]
  })
  return { health, webhook: null, visit }
})

/** Makes the client again where the address has changed: a development server learns its port when it listens. */
const lastly = (make: (base: string) => Client | null, base: () => string | undefined): (() => Client | null) => {
  let last: { readonly at: string; readonly client: Client | null } | null = null
  return () => {
    const at = base()
    if (at === undefined) return null
    if (last?.at !== at) last = { at, client: make(at) }
    return last.client
  }
}

const modeOf = ({ path }: VisitRequest): Mode | null =>
  path === RETURNS.live ? "live" : path === RETURNS.sandbox ? "sandbox" : null

const nowhere = Effect.die(new Error("the page has no answer"))

/** Codes of providers are far shorter. */
const LONGEST_CODE = 2_048

/** The parameters of a redirect. A parameter that comes twice has no value (RFC 6749 §3.1). */
const returnedIn = (query: URLSearchParams) => {
  const valueOf = (name: string): string | null => {
    const [value, ...more] = query.getAll(name)
    return value === undefined || value === "" || more.length > 0 || value.length > LONGEST_CODE ? null : value
  }
  const isTwice = ["code", "state", "error", "iss"].some((name) => query.getAll(name).length > 1)
  return {
    code: valueOf("code"),
    error: valueOf("error"),
    issuer: valueOf("iss"),
    state: isTwice ? null : valueOf("state")
  }
}

const failed = (reason: Failure | (string & {})): Effect.Effect<"failed"> =>
  Effect.as(
    Effect.logWarning(
      `a sign-in with Telegram has shown no number: ${/^[a-z_]{1,40}$/.test(reason) ? reason : "error"}`
    ),
    "failed"
  )

/** The page of an outcome; `failed` for all others, which a sign-in does not have. */
const outcomes: { readonly [R in Result]?: Page.Outcome } = {
  approved: "approved",
  other_number: "other_number",
  not_shared: "not_shared",
  late: "late",
  unknown: "late"
}
