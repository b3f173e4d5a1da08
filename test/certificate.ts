/**
 * A self-signed certificate for 127.0.0.1, made when it is needed.
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
export const selfSigned = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const day = 24 * 60 * 60 * 1000
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from("127.0.0.1")))))
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
    sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))))
  )
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions)
  )
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey))
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", sequence(body, ECDSA_WITH_SHA256, signature))
  }
}
