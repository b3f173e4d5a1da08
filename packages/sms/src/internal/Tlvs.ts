import type { Tlv } from "../SmsGateway.ts"

/** Optional parameters as bodies and routes have them, by their hexadecimal tags. */
export const tlvsOf = (tlvs: Readonly<Record<string, string>>): ReadonlyArray<Tlv> =>
  Object.entries(tlvs).map(([tag, value]) => ({ tag: Number.parseInt(tag, 16), value }))
