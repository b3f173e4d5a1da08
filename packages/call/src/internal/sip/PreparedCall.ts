/**
 * The first INVITE of a call, built before the call is placed, so that its dialog can be stored with the call's record
 * in one step.
 */
import type { PreparedCall as Port } from "../../CallGateway.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { Invite } from "./Invite.ts"
import type { RequestBuilder } from "./RequestBuilder.ts"
import * as StoredDialog from "./StoredDialog.ts"
import type { Trunk } from "./Trunk.ts"

export class PreparedCall implements Port {
  readonly invite: Invite
  readonly dialog: string
  private readonly trunk: Trunk
  private readonly builder: RequestBuilder

  constructor(trunk: Trunk, invite: Invite) {
    this.invite = invite
    this.dialog = StoredDialog.encode(invite)
    this.trunk = trunk
    this.builder = trunk.builder
  }

  /** Whether the call would begin like this now, if it went to that endpoint. */
  suits(trunk: Trunk, endpoint: Endpoint): boolean {
    return trunk === this.trunk && trunk.builder === this.builder && endpoint === this.invite.route.endpoint
  }
}
