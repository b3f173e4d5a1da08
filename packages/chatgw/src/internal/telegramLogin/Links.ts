/**
 * The secrets of a sign-in, made again from its token when the user returns: nothing is stored.
 *
 * The state that goes through the user's browser is the token with a MAC, so that only a link that this installation
 * made has the provider asked. Nonce and code verifier never leave for the browser, and are MACs of the token too.
 *
 * Source: RFC 6749 §10.12 (state), RFC 7636 §4.1 (code verifier), OpenID Connect Core §15.5.2 (nonce).
 */
import type { Mode } from "@watchword/schemas/Channel"
import { hmacSha256 } from "@watchword/schemas/Sha256"
import { InstallationSecret, deriveKey } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

export interface Link {
  readonly token: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface Links {
  /** The link of a token, under the secret in use. */
  readonly of: (mode: Mode, token: string) => Effect.Effect<Link>
  /** The link that a state came from, under any of the secrets; null for a state that was not made here. */
  readonly by: (mode: Mode, state: string) => Effect.Effect<Link | null>
}

/** A token of a verification, and the MAC of it. */
const STATE = /^([0-9A-Z]{21})-([0-9a-f]{16})$/

export const make: Effect.Effect<Links, never, InstallationSecret> = Effect.map(InstallationSecret, (given) => {
  // Verifications whose secret is known only to one process end with it, too.
  const secrets = given.length === 0 ? [Redacted.make(crypto.randomUUID() + crypto.randomUUID())] : given
  let imported: ReadonlyArray<Mac> | null = null
  // When the first is needed: a Worker waits for nothing while it makes its services.
  const macs = Effect.suspend(() =>
    imported === null
      ? Effect.promise(async () => (imported = await Promise.all(secrets.map(macOf))))
      : Effect.succeed(imported)
  )
  return {
    of: (mode, token) => Effect.map(macs, ([current = noMac]) => linkOf(current, mode, token)),
    by: (mode, state) =>
      Effect.map(macs, (all) => {
        const token = STATE.exec(state)?.[1]
        const links = token === undefined ? [] : all.map((mac) => linkOf(mac, mode, token))
        return links.find((link) => isSame(link.state, state)) ?? null
      })
  }
})

type Mac = (text: string) => string

const macOf = async (secret: Redacted.Redacted): Promise<Mac> =>
  hmacSha256(await (await deriveKey(Redacted.value(secret))).bits("watchword telegram login", 256))

/** The list of secrets is never empty. */
const noMac: Mac = () => {
  throw new Error("there is no secret")
}

const linkOf = (mac: Mac, mode: Mode, token: string): Link => ({
  token,
  state: `${token}-${mac(`state ${mode} ${token}`).slice(0, 16)}`,
  // Telegram takes no long state, and maybe no long nonce: 128 bits.
  nonce: mac(`nonce ${mode} ${token}`).slice(0, 32),
  verifier: mac(`verifier ${mode} ${token}`)
})

/** In a time that depends on the lengths only. */
const isSame = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
