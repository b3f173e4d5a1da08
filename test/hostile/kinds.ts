/**
 * All kinds of hostile inputs. The cheapest kinds run the most inputs.
 */
import type { Kind } from "./Kind.ts"
import { callbacks } from "./kinds/callbacks.ts"
import { commands } from "./kinds/commands.ts"
import { doors } from "./kinds/doors.ts"
import { direct } from "./kinds/interface.ts"
import { parsers } from "./kinds/parsers.ts"
import { carrier, framings, requests, trunk } from "./kinds/servers.ts"
import { settings } from "./kinds/settings.ts"

export const kinds: ReadonlyArray<Kind> = [
  parsers,
  settings,
  direct,
  callbacks,
  doors,
  requests,
  framings,
  carrier,
  trunk,
  commands
]
