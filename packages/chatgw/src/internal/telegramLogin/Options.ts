/**
 * The app at the provider, as options name it, checked before anything starts.
 */
import { type Secret, textOf } from "@watchword/send/gateway"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { App } from "./Client.ts"
import { type Algorithm, algorithms } from "./Keys.ts"

/** An option that cannot be used. The message names it, and says what to do. */
export class TelegramLoginError extends Schema.TaggedError<TelegramLoginError>()("TelegramLoginError", {
  option: Schema.Literals(["clientId", "clientSecret", "alg", "issuer", "publicUrl"]),
  /** The end of the sentence that names the option. */
  must: Schema.String,
  message: Schema.String
}) {}

/** The app that BotFather has for a bot, under "Web Login". */
export interface AppOptions {
  /** The client's id: that of the bot. */
  readonly clientId: string
  /** The client's secret, which is not the token of the bot. */
  readonly clientSecret: Secret
  /** The algorithm that BotFather is set to sign by: `RS256` unless given, `ES256` or `EdDSA`. */
  readonly alg?: string | undefined
  /** Another provider than Telegram, for tests. */
  readonly issuer?: string | undefined
}

export const ISSUER = "https://oauth.telegram.org"

/** Throws a `TelegramLoginError`. */
export const appOf = ({ alg = "RS256", clientId, clientSecret, issuer = ISSUER }: AppOptions): App => {
  if (!isText(clientId)) throw fault("clientId", "must be the client's id of the bot")
  if (!isText(clientSecret === undefined ? "" : textOf(clientSecret))) {
    throw fault("clientSecret", "must be the client's secret, which BotFather shows with the client's id")
  }
  if (!isAlgorithm(alg)) throw fault("alg", `must be ${algorithms.join(", ")}: have BotFather sign by one of these`)
  if (!isAddress(issuer)) throw fault("issuer", "must be an https address, or an http address of this machine")
  return { alg, clientId, clientSecret, issuer }
}

/** The address of the service, without a slash at its end, for a provider that leads users back to it. */
export const checkedBase = (base: string | undefined): string | TelegramLoginError => {
  if (base === undefined) {
    return fault("publicUrl", "must be set, because Telegram leads users back to it; BotFather needs it in its list")
  }
  return isAddress(base)
    ? base.replace(/\/+$/, "")
    : fault("publicUrl", "must be an https address for Telegram Login, or an http address of this machine")
}

const fault = (option: TelegramLoginError["option"], must: string) =>
  new TelegramLoginError({ option, must, message: `${option} ${must}.` })

const isText = (value: unknown): boolean => Predicate.isString(value) && value.trim() !== ""

const isAlgorithm = (name: string): name is Algorithm => algorithms.some((each) => each === name)

const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hash, hostname, password, protocol, search, username } = new URL(text)
  if (`${username}${password}${search}${hash}` !== "") return false
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
