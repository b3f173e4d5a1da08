/**
 * The pages of the console, in the order of its menu.
 */
import type { ComponentType } from "preact"
import type { Name } from "./api.ts"
import type { GlyphName } from "./Glyph.tsx"
import { later } from "./Later.tsx"
import { Live } from "./pages/Live.tsx"
import { Now } from "./pages/Now.tsx"
import { NumberPage } from "./pages/NumberPage.tsx"
import { can } from "./session.ts"

export interface Place {
  /** The first word of its address; empty for the first page. */
  readonly word: string
  readonly label: string
  readonly glyph: GlyphName
  /** The command without which it would be empty. */
  readonly needs: Name
  readonly page: ComponentType
}

const Guards = later(async () => (await import("./pages/Guards.tsx")).Guards)
const Requests = later(async () => (await import("./pages/Requests.tsx")).Requests)
const Traffic = later(async () => (await import("./pages/Traffic.tsx")).Traffic)
const Accounts = later(async () => (await import("./pages/Accounts.tsx")).Accounts)
const Connections = later(async () => (await import("./pages/Connections.tsx")).Connections)
const Log = later(async () => (await import("./pages/Log.tsx")).Log)

const all: ReadonlyArray<Place> = [
  { word: "", label: "Now", glyph: "now", needs: "overview", page: Now },
  { word: "number", label: "Number", glyph: "number", needs: "why", page: NumberPage },
  { word: "live", label: "Live", glyph: "live", needs: "delivery list", page: Live },
  { word: "guards", label: "Guards", glyph: "guards", needs: "guard look", page: Guards },
  { word: "requests", label: "Requests", glyph: "requests", needs: "requests", page: Requests },
  { word: "traffic", label: "Traffic", glyph: "traffic", needs: "traffic", page: Traffic },
  { word: "accounts", label: "Accounts", glyph: "accounts", needs: "account list", page: Accounts },
  { word: "connections", label: "Connections", glyph: "connections", needs: "webhook list", page: Connections },
  { word: "log", label: "Log", glyph: "log", needs: "operator list", page: Log }
]

/** The pages that the server has and its user may see. */
export const places = (): ReadonlyArray<Place> => all.filter(({ needs }) => can(needs))
