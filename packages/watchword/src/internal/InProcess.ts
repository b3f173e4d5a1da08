/**
 * The calling convention of a service in-process: a caller in front, and keys instead of a request's options.
 */
import type { Client, Convention } from "@watchword/client"
import type { builtIn } from "./Channels.ts"
import type { Directs } from "./Direct.ts"
import type { Keys } from "./Keys.ts"
import type { Caller } from "./Principals.ts"

export interface InProcess extends Convention {
  readonly before: [caller: Caller]
  readonly options: []
  readonly keyed: [keys?: Keys]
}

/** The direct calls of the channels that come with Watchword. */
export interface Groups extends Client<InProcess> {}

/** The calls of verifications as the client has them: a verification is named in front, and its code sent again. */
export const verifying = (verify: Directs<typeof builtIn>["verify"]): Groups["verify"] => ({
  ...verify,
  check: (caller, verification, entered, keys) =>
    verify.check(
      caller,
      { ...(typeof verification === "string" ? { verification_id: verification } : verification), ...entered },
      keys
    ),
  resend: async (caller, id) => {
    const { channel } = await verify.get(caller, id)
    return verify.next(caller, id, { channel })
  }
})
