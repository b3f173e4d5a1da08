/**
 * Drawings, in the colour of the text around them.
 */
const PATHS = {
  sms: "M4 5h16a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Z",
  chatgw: "M3 11 21 4l-4 16-5-4-3 3v-5l9-8-11 7-4-2Z",
  bizchat: "M5 8h14l-1 12H6L5 8Zm3 0a4 4 0 0 1 8 0",
  call: "M6 3h3l2 5-2.5 1.5a12 12 0 0 0 6 6L16 13l5 2v3a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2Z",
  plane: "m12 2 2 7 8 5v2l-8-2-1 5 3 2v1l-4-1-4 1v-1l3-2-1-5-8 2v-2l8-5 2-7Z",
  bars: "M3 18h3v3H3zM8 14h3v7H8zM13 9h3v12h-3zM18 4h3v17h-3z",
  quiet: "M4 9h4l5-4v14l-5-4H4V9Zm12 0 5 6m0-6-5 6",
  other: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 5v5m0 3v1"
} as const

export type IconName = keyof typeof PATHS

const OUTLINED: ReadonlySet<IconName> = new Set(["bizchat", "quiet", "other"])

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    viewBox="0 0 24 24"
    aria-hidden="true"
    width="16"
    height="16"
    fill={OUTLINED.has(name) ? "none" : "currentColor"}
    stroke={OUTLINED.has(name) ? "currentColor" : "none"}
    stroke-width="2"
    stroke-linejoin="round"
    stroke-linecap="round"
  >
    <path d={PATHS[name]} />
  </svg>
)

/** The drawing of a channel; one of its own has that of all others. */
export const iconOf = (channel: string): IconName =>
  channel === "sms" || channel === "chatgw" || channel === "bizchat" || channel === "call" ? channel : "other"
