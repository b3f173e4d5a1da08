/**
 * The provider of the sandbox, as a login has it: pages at which anyone signs in with any number, and endpoints that
 * are asked without a network.
 */
import type { Visit, VisitPath } from "@watchword/send/gateway"
import type { InstallationSecret } from "@watchword/send/pipeline"
import type * as Effect from "effect/Effect"
import type { App } from "./Client.ts"
import type { Exchange } from "./Exchange.ts"

export interface Playing {
  /** Where its pages are. */
  readonly visits: ReadonlyArray<VisitPath>
  /**
   * @param base the address of the service; undefined while it is not known
   * @param returnPath behind it, the page to which users return
   */
  readonly open: (
    base: () => string | undefined,
    returnPath: string
  ) => Effect.Effect<Played, never, InstallationSecret>
}

export interface Played {
  /** The app that it has, and itself, where the service is at an address. */
  readonly appAt: (base: string) => App
  readonly exchange: Exchange
  readonly visit: Visit
}
