/**
 * The operator's check before a send, as options name it, around the guard of a service.
 */
import { type BeforeSendCheck, type Settings as BeforeSendSettings, around } from "@watchword/guards/Guards"
import { type Remote, remote } from "@watchword/guards/Guards"
import { BadRequest } from "@watchword/schemas/Errors"
import { type Secret, textOf } from "@watchword/send/gateway"
import { SendGuard } from "@watchword/send/SendGuard"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

type Bounds = Pick<BeforeSendSettings, "fail" | "timeout">

/**
 * A function, or the address of one over HTTP, whose questions are signed as webhooks are. A check that fails or takes
 * longer than `timeout`, 2,000 milliseconds unless given, lets the send continue, or refuses it where `fail` is
 * `closed`.
 */
export type BeforeSend =
  | BeforeSendCheck
  | (Bounds & { readonly check: BeforeSendCheck })
  | (Bounds & { readonly url: string; readonly secret: Secret })

/** Makes the guard ask the check about each send that it allows. */
export const layer = (beforeSend: BeforeSend | undefined): Layer.Layer<SendGuard, BadRequest, SendGuard> =>
  Layer.effect(
    SendGuard,
    Effect.gen(function* () {
      const guard = yield* SendGuard
      return beforeSend === undefined ? guard : yield* around(guard, yield* settingsOf(beforeSend))
    })
  )

const settingsOf = (beforeSend: BeforeSend): Effect.Effect<BeforeSendSettings, BadRequest> => {
  if (typeof beforeSend === "function") return Effect.succeed({ check: beforeSend })
  if ("check" in beforeSend) return Effect.succeed(beforeSend)
  const { secret, url, ...bounds } = beforeSend
  return Effect.map(checked({ url, secret: Redacted.make(textOf(secret)) }), (to) => ({ ...bounds, check: remote(to) }))
}

const checked = (to: Remote): Effect.Effect<Remote, BadRequest> => {
  const wrong = URL.canParse(to.url) && /^https?:$/.test(new URL(to.url).protocol) ? wrongSecret(to) : WRONG_URL
  if (wrong === null) return Effect.succeed(to)
  return Effect.fail(new BadRequest({ message: `${wrong.path} ${wrong.message}.`, issues: [wrong] }))
}

const WRONG_URL = { path: "beforeSend.url", message: "must be an address that begins with https:// or http://" }

const wrongSecret = ({ secret }: Remote) =>
  /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(Redacted.value(secret))
    ? null
    : { path: "beforeSend.secret", message: "must be whsec_ and base 64 of 24 bytes or more" }
