/**
 * The contexts of services, by their handlers: for functions that a program imports where it uses them. As methods of a service
 * they would be in every bundle.
 */
import type { HandlePromise } from "@watchword/server/Host"
import type * as Context from "effect/Context"
import type { Services } from "../Services.ts"

const contexts = new WeakMap<HandlePromise, Context.Context<Services>>()

export const keep = (handle: HandlePromise, context: Context.Context<Services>): HandlePromise => {
  contexts.set(handle, context)
  return handle
}

/** Throws for anything that is no service of `createWatchword`. */
export const of = (service: { readonly handle: HandlePromise }): Context.Context<Services> => {
  const context = contexts.get(service.handle)
  if (context === undefined) throw new TypeError("the console needs a service of createWatchword")
  return context
}
