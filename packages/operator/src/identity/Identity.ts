/**
 * The people who ask the operators' API, and the roles by which they may.
 */
import { Forbidden } from "@watchword/schemas/Errors"
import type { HostRequest } from "@watchword/server/Host"
import type * as Effect from "effect/Effect"
import type { Role } from "../command/Command.ts"

/** A person, by the name that the operator's log has. */
export interface Operator {
  readonly name: string
  readonly role: Role
}

/** How a request shows who sends it. Browsers add all of these by themselves, but for tokens. */
export type SignedInBy = "token" | "cookie" | "link" | "proxy" | "host"

export interface SignedIn extends Operator {
  readonly signedInBy: SignedInBy
  /**
   * The identity shared by requests that signed in the same way: the id of the token or link, or the user of the host
   * or proxy. No other operator has it, whereas several may have one name.
   */
  readonly owner: string
}

/**
 * Counts a request that shows a wrong token or link, and logs with others the addresses that most are from, as wrong
 * keys are.
 */
export type Note = (request: HostRequest, reason: string) => Effect.Effect<void>

const ranks: { readonly [R in Role]: number } = { support: 0, operator: 1, admin: 2 }

/** Whether a text is a role. */
export const isRole = (text: unknown): text is Role => typeof text === "string" && Object.hasOwn(ranks, text)

/** Whether a role may do what another one may. */
export const includes = (own: Role, needed: Role): boolean => ranks[own] >= ranks[needed]

/** The 403 of a role that is too small. */
export const tooSmall = ({ name, role }: Operator, needed: Role): Forbidden =>
  new Forbidden({ message: `This needs the role ${needed}; ${name} has ${role}.`, reason: `role_${needed}` })
