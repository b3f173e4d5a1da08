/**
 * A caller whom a door has admitted: an account with the mode and the scopes of the key that a request had.
 */
import type { Principal } from "@watchword/schemas/Account"

/** Direct calls take it as their caller, for the length of one request. */
export class Admitted {
  /** The account's id, `acc_…`. */
  readonly account: string
  /** Whether the key is one of the sandbox. */
  readonly sandbox: boolean
  /** Has `Door.authenticate` recognise the same key, for sealed tokens; null without a key. */
  readonly ticket: string | null
  readonly #principal: Principal

  constructor(principal: Principal, ticket: string | null) {
    this.account = principal.account.id
    this.sandbox = principal.mode === "sandbox"
    this.ticket = ticket
    this.#principal = principal
  }

  /** The principal of a caller; null for a caller whom no door has admitted. */
  static principalOf(caller: unknown): Principal | null {
    return caller instanceof Admitted ? caller.#principal : null
  }
}
