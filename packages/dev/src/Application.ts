/**
 * The application of a development server, whose private key is in its folder: for SDKs that sign their requests
 * instead of sending a key.
 */
import { createPublicKey, generateKeyPair } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { promisify } from "node:util"
import type { Watchword } from "watchword"

/** An application, and the file with its private key. */
export interface Application {
  readonly id: string
  readonly privateKey: string
}

const ID = "00000000-0000-4000-8000-000000000001"

/** Makes the private key once, and has the service verify the tokens that it signs. */
export const open = async ({ operator }: Watchword, account: string, file: string): Promise<Application> => {
  if (!existsSync(file)) {
    const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
    writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
  }
  const public_key = createPublicKey(readFileSync(file)).export({ type: "spki", format: "pem" }).toString()
  await operator.as("dev").door.key({ account_id: account, application: ID, public_key, sandbox: true, overlap: 0 })
  return { id: ID, privateKey: file }
}
