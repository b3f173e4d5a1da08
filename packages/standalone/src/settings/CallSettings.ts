/**
 * The settings of the SIP trunks.
 */
import { X509Certificate, createPrivateKey } from "node:crypto"
import * as Sip from "@watchword/call/options"
import { hostAndPort } from "@watchword/schemas/ConnectionUrl"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, fault, fileText, unusable } from "./Reading.ts"
import { checkNeeds, optionalSetting, read, readOptional, setting } from "./Setting.ts"

const trunkUrls: Parse<Sip.Options> = (value) => Result.mapError(Sip.fromUrls(value), unusable)

const listenAddress: Parse<Sip.Address> = (value) => Result.mapError(Sip.listenAt(value), unusable)

/** The content of a file in PEM form. */
const pemFile =
  (what: string, check: (pem: string) => unknown): Parse<string> =>
  (file) =>
    Result.flatMap(fileText(file), (pem) =>
      Result.try({
        try: () => {
          check(pem)
          return pem
        },
        catch: () => `names the file ${file}, which has to have ${what} in PEM form`
      })
    )

const certificates = (pem: string) => {
  const all = pem.split(/(?=-----BEGIN CERTIFICATE-----)/).filter((part) => part.trim() !== "")
  return [new X509Certificate(pem), ...all.map((each) => new X509Certificate(each))]
}

const hosts: Parse<ReadonlyArray<string>> = (value) => {
  const all = value.split(",").map((each) => each.trim().toLowerCase())
  return all.every((each) => hostAndPort(each) !== null)
    ? Result.succeed(all)
    : Result.fail("must be hosts with commas between them, such as certificates.carrier.example")
}

export const call = {
  trunks: optionalSetting("SIP_URL", trunkUrls, {
    description:
      "trunks in order of preference, `sip:` or `sips:`; `;transport=` udp, tcp or tls, `;cps=` calls a second, " +
      "`;keepalive=` seconds between OPTIONS, `;follow=contact` sends requests within calls to the address that the " +
      "callee names, `;ringing=183` is for trunks that never send 180, `;plus=` yes, no or national is the form of " +
      "numbers, `;receives=` our numbers that users call to verify theirs, and more in " +
      "[Calls over SIP](../sip.md#a-trunks-url)",
    isSecret: true
  }),
  listen: setting("SIP_LISTEN", "127.0.0.1:0", listenAddress, {
    description:
      "the local address that calls are placed from, and where they are received; the trunk must be able to reach it"
  }),
  certificate: optionalSetting("SIP_TLS_CERT", pemFile("a certificate", certificates), {
    description: "path of a PEM file with the certificate of `SIP_LISTEN`, for calls to us by trunks with TLS",
    isFile: true,
    needs: ["SIP_TLS_KEY"]
  }),
  key: optionalSetting("SIP_TLS_KEY", pemFile("a private key", createPrivateKey), {
    description: "path of a PEM file with the key of `SIP_TLS_CERT`",
    isFile: true,
    needs: ["SIP_TLS_CERT"]
  }),
  roots: optionalSetting("SIP_IDENTITY_ROOTS", pemFile("certificates", certificates), {
    description:
      "path of a PEM file with the authorities whose carriers' [signatures of callers' numbers](../sip.md#who-vouches-for-a-caller) are believed",
    isFile: true,
    needs: ["SIP_IDENTITY_HOSTS"]
  }),
  hosts: optionalSetting("SIP_IDENTITY_HOSTS", hosts, {
    description: "hosts that these carriers' certificates are fetched from over HTTPS, with commas between them",
    needs: ["SIP_IDENTITY_ROOTS"]
  })
}

/** The trunks, and the address that calls leave over and come to. */
export const readTrunks = (environment: Environment): Read<Option.Option<Sip.Options>> =>
  Result.gen(function* () {
    const options = yield* readOptional(environment, call.trunks)
    const listen = yield* read(environment, call.listen)
    const inbound = yield* readInbound(environment)
    return Option.map(options, (each) => ({ ...each, ...inbound, listen }))
  })

/** What all trunks have in common for calls to us. */
export const readInbound = (environment: Environment): Read<Pick<Sip.Options, "certificate" | "identity">> =>
  Result.gen(function* () {
    yield* checkNeeds(environment, Object.values(call))
    const cert = Option.getOrNull(yield* readOptional(environment, call.certificate))
    const key = Option.getOrNull(yield* readOptional(environment, call.key))
    if (cert !== null && key !== null && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      return yield* Result.fail(
        fault(call.key.name, `names the file of another key than that of ${call.certificate.name}`)
      )
    }
    const roots = Option.getOrNull(yield* readOptional(environment, call.roots))
    const hosts = Option.getOrNull(yield* readOptional(environment, call.hosts))
    return {
      ...(cert === null || key === null ? {} : { certificate: { cert, key } }),
      ...(roots === null || hosts === null ? {} : { identity: { roots, hosts } })
    }
  })
