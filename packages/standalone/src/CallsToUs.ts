/**
 * Calls of users to numbers of the service, by the settings: where they are taken, and which settings prevent them.
 */
import type * as Sip from "@watchword/call/options"
import * as Option from "effect/Option"
import type { Settings } from "./settings/Settings.ts"

/** Trunks that share a listen address. */
interface Group {
  /** How a sentence names their settings. */
  readonly setting: string
  readonly listenSetting: string
  readonly options: Sip.Options
}

const groups = ({ carriers, sip }: Pick<Settings, "carriers" | "sip">): ReadonlyArray<Group> => [
  ...Option.toArray(sip).map((options) => ({ setting: "SIP_URL", listenSetting: "SIP_LISTEN", options })),
  ...(Option.getOrNull(carriers)?.carriers ?? []).flatMap(({ by, name }) =>
    by._tag === "Sip"
      ? [{ setting: `CARRIERS, ${name}`, listenSetting: `CARRIERS, ${name}: listen`, options: by.options }]
      : []
  )
]

const listenOf = ({ listen = { host: "127.0.0.1", port: 0 } }: Sip.Options): Sip.Address => listen

const written = ({ host, port }: Sip.Address): string => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`)

/** One sentence for each setting that prevents calls to us. */
export const hindrances = (settings: Pick<Settings, "carriers" | "sip">, isLocal: (host: string) => boolean) =>
  groups(settings).flatMap(({ listenSetting, options, setting }): ReadonlyArray<string> => {
    const listen = listenOf(options)
    const receiving = options.trunks.filter(({ receives }) => receives.length > 0)
    const isUnknown = listen.port === 0 || (isLocal(listen.host) && receiving.some(({ host }) => !isLocal(host)))
    return [
      ...(receiving.length > 0 && isUnknown
        ? [
            `${listenSetting} is ${written(listen)}, where no trunk can bring calls to the numbers in receives: it needs an ` +
              "address and a port that the trunk can reach."
          ]
        : []),
      ...receiving.flatMap(({ host, protocol }) =>
        protocol === "tls" && options.certificate === undefined
          ? [
              `${setting}: ${host} cannot open a TLS connection for calls to us, which come over connections of ours only: ` +
                "set SIP_TLS_CERT and SIP_TLS_KEY."
            ]
          : []
      ),
      ...receiving.flatMap(({ host, protocol, trusted }) =>
        trusted && protocol === "udp" && !isLocal(host)
          ? [
              `${setting}: ${host} is trusted over UDP, where anyone who can forge its address can assert any caller: use ` +
                "transport=tls or tcp, or a private network."
            ]
          : []
      ),
      ...(receiving.length === 0 && options.identity !== undefined && setting === "SIP_URL"
        ? ["SIP_IDENTITY_ROOTS does nothing: no trunk has receives, the numbers of ours that users call."]
        : [])
    ]
  })

/** One sentence for each trunk that brings calls to us. */
export const taken = (settings: Pick<Settings, "carriers" | "sip">): ReadonlyArray<string> =>
  groups(settings).flatMap(({ options }) =>
    options.trunks.flatMap(({ host, inbound, protocol, receives, trusted }) => {
      if (receives.length === 0) return []
      const how =
        protocol === "tls" && options.certificate === undefined ? "connections of ours" : protocol.toUpperCase()
      const vouching = [
        ...(trusted ? ["its P-Asserted-Identity"] : []),
        ...(options.identity === undefined ? [] : ["signatures by SIP_IDENTITY_ROOTS"])
      ]
      const assurance =
        vouching.length === 0 ? "claimed" : `network by ${vouching.join(" and ")}, and claimed otherwise`
      return [
        `Calls of ${host}${inbound === null ? "" : " and of inbound"} to ${receives.join(", ")} are taken at ` +
          `${written(listenOf(options))} over ${how}; their callers are ${assurance}.`
      ]
    })
  )
