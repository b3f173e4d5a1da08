/**
 * The first INVITE of a call, drafted before the call is placed: its dialog can then be stored with the call's record,
 * in one step.
 */
import type { Draft as Drafted } from "../CallGateway.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { Invite } from "./Invite.ts"
import type { RequestBuilder } from "./RequestBuilder.ts"
import * as StoredDialog from "./StoredDialog.ts"
import type { Trunk } from "./Trunk.ts"

export class Draft implements Drafted {
  readonly invite: Invite
  readonly dialog: string
  private readonly trunk: Trunk
  private readonly builder: RequestBuilder

  constructor(trunk: Trunk, invite: Invite) {
    this.invite = invite
    this.dialog = StoredDialog.encode([StoredDialog.storedInvite(invite, null)])
    this.trunk = trunk
    this.builder = trunk.builder
  }

  /** Whether this is what would be written now, if the call went there. */
  suits(trunk: Trunk, endpoint: Endpoint): boolean {
    return trunk === this.trunk && endpoint === this.invite.route.endpoint && trunk.builder === this.builder
  }
}
