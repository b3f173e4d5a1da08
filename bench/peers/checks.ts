/**
 * The check of a verification over a raw socket: with the id that the answer to its start has, and its code.
 */
import * as Code from "../../packages/verify/src/internal/Code.ts"
import { SECRET } from "../support/verifications.ts"

export interface Check {
  /** The request without `content-length` and body. */
  readonly head: string
  /** The code of every verification; null if the server computes codes from {@link SECRET}. */
  readonly code: string | null
}

const keys = await Code.importSecret(SECRET)
const ID = /"id":"(vrf_([^"]+))"/

/** The request that checks the verification of an answer. */
export const checkOf = ({ code, head }: Check, answer: Buffer): string => {
  const [, id = "", bare = ""] = ID.exec(answer.toString("latin1")) ?? []
  const body = JSON.stringify({ verification_id: id, code: code ?? Code.codeOf(keys, bare, 6) })
  return `${head}content-length: ${body.length}\r\n\r\n${body}`
}

export const isApproved = (answer: Buffer): boolean => answer.includes('"status":"approved"')
