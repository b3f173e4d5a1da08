/**
 * Where providers reach the service.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { webhookPath } from "../channel/Channel.ts"

/** The interface's address as others reach it, with the prefix that it is mounted at; undefined if it is not set. */
export const PublicUrl = Context.Reference<string | undefined>("publicUrl", {
  defaultValue: () => undefined
})

/** Where a provider posts the events of a channel; undefined if the service has no public address. */
export const callbackOf = (channel: string): Effect.Effect<string | undefined> =>
  Effect.map(PublicUrl, (url) => url?.replace(/\/*$/, webhookPath({ name: channel })))
