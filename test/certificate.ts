/**
 * Certificates for 127.0.0.1, made when they are needed.
 *
 * Source: RFC 5280 §4.1; ITU-T X.690 (DER).
 */
import { generateKeyPairSync, sign } from "node:crypto"

const der = (tag: number, ...contents: ReadonlyArray<Buffer>): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...contents: ReadonlyArray<Buffer>) => der(0x30, ...contents)
const integer = (...octets: ReadonlyArray<number>) => der(0x02, Buffer.from(octets))
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const utcTime = (date: Date) =>
  der(0x17, Buffer.from(date.toISOString().replace(/^..(..)-(..)-(..)T(..):(..):(..).*/, "$1$2$3$4$5$6Z")))

const COMMON_NAME = oid("550403")
const SUBJECT_ALT_NAME = oid("551d11")
const BASIC_CONSTRAINTS = oid("551d13")
const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"))

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replace(/(.{64})/g, "$1\n")}\n-----END ${label}-----\n`

/** Key and certificate in PEM form. */
export interface Certified {
  readonly key: string
  readonly cert: string
  readonly name: string
}

export interface Certifying {
  readonly name: string
  /** Who signs; itself unless given. */
  readonly by?: Certified
  /** Whether it may sign others; unless given, true if it signs itself. */
  readonly isAuthority?: boolean
  /** From and until when it is valid: yesterday and tomorrow unless given. */
  readonly from?: Date
  readonly to?: Date
  /** P-256 unless given. */
  readonly curve?: "P-256" | "P-384"
}

const DAY = 24 * 60 * 60 * 1000

/** A certificate for a host or a carrier, at 127.0.0.1. */
export const certified = (given: Certifying): Certified => {
  const { by, curve = "P-256", from = new Date(Date.now() - DAY), name, to = new Date(Date.now() + DAY) } = given
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: curve })
  const isAuthority = given.isAuthority ?? by === undefined
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, der(0x04, sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : [])))),
    sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))))
  )
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    nameOf(by?.name ?? name),
    sequence(utcTime(from), utcTime(to)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions)
  )
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, by?.key ?? privateKey))
  return {
    name,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", sequence(body, ECDSA_WITH_SHA256, signature))
  }
}

const nameOf = (name: string) => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))))

/** A certificate for 127.0.0.1 that signs itself. */
export const selfSigned = (): Pick<Certified, "key" | "cert"> => {
  const { cert, key } = certified({ name: "127.0.0.1" })
  return { key, cert }
}
