/**
 * The settings of the SIP trunks.
 */
import * as Sip from "@watchword/call/options"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, unusable } from "./Reading.ts"
import { optionalSetting, read, readOptional, setting } from "./Setting.ts"

const trunkUrls: Parse<Sip.Options> = (value) => Result.mapError(Sip.fromUrls(value), unusable)

const listenAddress: Parse<Sip.Address> = (value) => Result.mapError(Sip.listenAt(value), unusable)

export const call = {
  trunks: optionalSetting("SIP_URL", trunkUrls, {
    description:
      "trunks in order of preference, `sip:` or `sips:`; `;transport=` udp, tcp or tls, `;cps=` calls a second, " +
      "`;keepalive=` seconds between OPTIONS, `;follow=contact` sends requests within calls to the address that the " +
      "callee names, `;ringing=183` is for trunks that never send 180, `;plus=` yes, no or national is the form of " +
      "numbers, and more in [Calls over SIP](../sip.md#a-trunks-url)",
    isSecret: true
  }),
  listen: setting("SIP_LISTEN", "127.0.0.1:0", listenAddress, {
    description: "the local address that calls are placed from; the trunk must be able to reach it"
  })
}

/** The trunks, and the address that calls leave over. */
export const readTrunks = (environment: Environment): Read<Option.Option<Sip.Options>> =>
  Result.gen(function* () {
    const options = yield* readOptional(environment, call.trunks)
    const listen = yield* read(environment, call.listen)
    return Option.map(options, (each) => ({ ...each, listen }))
  })
