/**
 * The values by which a client has its starts counted, as records keep them for resends: as codes under the
 * installation's secret, which say nothing of a session, a device or an address.
 */
import type { Principal } from "@watchword/schemas/Account"
import type { StartVerification } from "@watchword/schemas/Verification"
import type { Claims } from "@watchword/send/Claims"
import type { Asked } from "@watchword/send/SendGuard"
import type { Terms } from "./VerificationRecord.ts"

type Given = Pick<Asked, "limitKeys">

/** Characters of a code in hexadecimal: 96 bits. */
const LENGTH = 24

/** The values of a start; nothing for a start without any. */
export const ofStart = (
  { digests }: Claims,
  { account }: Principal,
  { limit_keys: values }: Pick<StartVerification, "limit_keys">
): Given =>
  values === undefined
    ? {}
    : {
        limitKeys: Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            digests("limit key", account.id, name, value)[0].slice(0, LENGTH)
          ])
        )
      }

/** The values that a verification was started with. */
export const ofTerms = ({ limit_keys: kept }: Terms): Given =>
  kept === undefined ? {} : { limitKeys: JSON.parse(kept) }

/** The detail that keeps the values. */
export const kept = ({ limitKeys }: Given): Pick<Terms, "limit_keys"> =>
  limitKeys === undefined ? {} : { limit_keys: JSON.stringify(limitKeys) }
