/**
 * Defaults of an installation for verifications. Settings of accounts, and of the installation, go before them.
 */
import type { Step } from "@watchword/schemas/Verification"
import * as Context from "effect/Context"
import type { Template } from "../operator/Template.ts"

export interface VerifyOptions {
  /**
   * The name in texts, of at most 20 characters; unless given, as many words of the account's name as fit, or else
   * `Watchword`.
   */
  readonly brand?: string
  /** The language of texts for clients that name none; `en` unless given. */
  readonly locale?: string
  /**
   * Steps for clients that name none; unless given the channels that are configured, the cheapest first, calls last.
   */
  readonly workflow?: ReadonlyArray<Step>
  /** Texts in addition to the built-in ones, made with `@watchword/verify/Template`. */
  readonly templates?: ReadonlyArray<Template>
  /** Seconds between two sends of a code that a client asks for; 30 unless given. */
  readonly resendInterval?: number
}

/** The default name in texts. */
export const DEFAULT_BRAND = "Watchword"

/** Whether a client gets the next send before its interval is over, which a development server grants its person. */
export const Hurry = Context.Reference<() => boolean>("@watchword/verify/internal/VerifyOptions/Hurry", {
  defaultValue: () => () => false
})

/** Read when the service is made. */
export const Options: Context.Reference<VerifyOptions> = Context.Reference("@watchword/verify/internal/VerifyOptions", {
  defaultValue: () => ({})
})
