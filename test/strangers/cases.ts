/**
 * All resources that parties share. A case more is a file of `cases/`, and a line here.
 */
import type { Case } from "./Case.ts"
import { customersBodies } from "./cases/customersBodies.ts"
import { gatewaysBodies } from "./cases/gatewaysBodies.ts"
import { guardCounters } from "./cases/guardCounters.ts"
import { hooksBodies } from "./cases/hooksBodies.ts"
import { logLines } from "./cases/logLines.ts"
import { searches } from "./cases/searches.ts"
import { strangersConnections } from "./cases/connections.ts"

export const cases: ReadonlyArray<Case> = [
  customersBodies,
  gatewaysBodies,
  hooksBodies,
  strangersConnections,
  searches,
  logLines,
  guardCounters
]
