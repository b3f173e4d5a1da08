/**
 * Identity headers as carriers write them, signed by jose, and a server with their certificates.
 */
import { once } from "node:events"
import * as https from "node:https"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { CompactSign, compactVerify, importPKCS8, importX509 } from "jose"
import type { Certified } from "../../../../../test/certificate.ts"

export interface Signing {
  readonly by: Certified
  readonly x5u: string
  readonly orig: string
  readonly dest: string
  readonly iat?: number
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
}

export const secondsNow = (): number => Math.floor(Date.now() / 1000)

/** A PASSporT in its full form. */
const passport = async ({ by, claims, dest, header, iat = secondsNow(), orig, x5u }: Signing): Promise<string> => {
  const payload = {
    attest: "A",
    dest: { tn: [dest] },
    iat,
    orig: { tn: orig },
    origid: "00000000-0000-4000-8000-000000000001"
  }
  const signed = await new CompactSign(new TextEncoder().encode(JSON.stringify({ ...payload, ...claims })))
    .setProtectedHeader({ alg: "ES256", ppt: "shaken", typ: "passport", x5u, ...header })
    .sign(await importPKCS8(by.key, "ES256"))
  // The signer's own check, by the certificate.
  await compactVerify(signed, await importX509(by.cert, "ES256"))
  return signed
}

/** The value of Identity. */
export const identity = async (signing: Signing): Promise<string> =>
  `${await passport(signing)};info=<${signing.x5u}>;alg=ES256;ppt=shaken`

export interface CertificateServer {
  readonly host: string
  readonly requests: Array<string>
  /** By path. */
  readonly files: Map<string, string>
}

/** A server over HTTPS, until the test ends. */
export const certificateServer = (
  own: Pick<Certified, "cert" | "key">
): Effect.Effect<CertificateServer, never, Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const requests: Array<string> = []
        const files = new Map<string, string>()
        const server = https.createServer({ cert: own.cert, key: own.key }, ({ url = "" }, response) => {
          requests.push(url)
          const file = files.get(url)
          if (file?.startsWith("/") === true) response.writeHead(302, { location: file }).end()
          else response.writeHead(file === undefined ? 404 : 200).end(file)
        })
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        return { server, served: { host: `127.0.0.1:${port}`, requests, files } }
      }),
      ({ server }) =>
        Effect.promise(async () => {
          server.closeAllConnections()
          server.close()
          await once(server, "close")
        })
    ),
    ({ served }) => served
  )
