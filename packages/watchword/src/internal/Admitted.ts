/**
 * A caller whom a door has admitted: an account with the mode and the scopes of the key that a request had.
 */
import type { Principal } from "@watchword/schemas/Account"
import type { ApiRequest } from "@watchword/server/http"

/** Direct calls take it as their caller, for the length of one request. */
export class Admitted {
  /** The account's id, `acc_…`. */
  readonly account: string
  /** Whether the key is one of the sandbox. */
  readonly sandbox: boolean
  /** Has `Door.authenticate` recognise the same key, for sealed tokens; null without a key. */
  get ticket(): string | null {
    return this.#ticket()
  }

  /** A copy has it too, and is therefore refused: as a caller without a key it would have every scope. */
  readonly isAdmitted = true
  readonly #principal: Principal
  readonly #ticket: () => string | null
  readonly #request: ApiRequest | null

  constructor(principal: Principal, ticket: () => string | null, request: ApiRequest | null) {
    this.account = principal.account.id
    this.sandbox = principal.mode === "sandbox"
    this.#principal = principal
    this.#ticket = ticket
    this.#request = request
  }

  /** The principal of a caller; null for a caller whom no door has admitted. */
  static principalOf(caller: unknown): Principal | null {
    return caller instanceof Admitted ? caller.#principal : null
  }

  /** The request that a caller was admitted with; null for a caller whom no door has admitted. */
  static requestOf(caller: unknown): ApiRequest | null {
    return caller instanceof Admitted ? caller.#request : null
  }
}
