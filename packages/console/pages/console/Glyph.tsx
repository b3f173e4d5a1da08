/**
 * The console's own drawings, in addition to the kit's.
 */
import { Drawing } from "../kit/Icon.tsx"

const OUTLINES = {
  number: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20.5 20.5",
  now: "M3 13h4l2.5-7 4.5 12 2.5-7H21",
  live: "M4 6.5h16M4 12h16M4 17.5h10",
  requests: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM6 6l12 12",
  guards: "M12 3 5 5.5v5.7c0 4.4 2.9 7.9 7 9.8 4.1-1.9 7-5.4 7-9.8V5.5ZM9 12l2.2 2.2L15.2 10",
  traffic: "M4 20V4M4 20h16M8.5 16v-4M13 16V8M17.5 16v-6",
  accounts:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.4-3.4 3-5.5 6.5-5.5s6.1 2.1 6.5 5.5M16 4.9a3.4 3.4 0 0 1 0 6.2M18 14.9c2 .8 3.2 2.6 3.5 5.1",
  connections: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0ZM12 17v4",
  log: "M6 3.5h9l3.5 3.5v13.5H6ZM9 11h6M9 15h6M14.5 3.5V7.5H18.5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  out: "M14 4H6v16h8M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5",
  pause: "M8.5 5v14M15.5 5v14",
  play: "M7.5 5v14l11-7Z",
  bad: "M12 4 2.5 20h19ZM12 10v4.5M12 17.2h.01",
  again: "M20 11a8 8 0 1 0-1 5M20 4.5V11h-6.5",
  save: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15",
  open: "m9.5 5 7 7-7 7"
} as const

export type GlyphName = keyof typeof OUTLINES

export const Glyph = ({ name }: { readonly name: GlyphName }) => <Drawing outline={OUTLINES[name]} />
