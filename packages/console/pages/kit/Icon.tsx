/**
 * Drawings of our own on a grid of 24, in the colour of the text around them.
 */
const OUTLINES = {
  sms: "M5 5h14a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-6l-5 4v-4H5a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3ZM7 9.5h10M7 13h6",
  chatgw:
    "M12 3c5 0 9 3.4 9 7.7s-4 7.7-9 7.7c-1 0-2-.1-2.9-.4L4 20.5l1.3-4.3A7.2 7.2 0 0 1 3 10.7C3 6.4 7 3 12 3ZM8.7 10.8l2.3 2.3 4.3-4.6",
  bizchat:
    "M4 10v9h16v-9M3 9.5 5 4h14l2 5.5c0 1.5-1.3 2.5-3 2.5s-3-1-3-2.5c0 1.5-1.3 2.5-3 2.5s-3-1-3-2.5C9 11 7.7 12 6 12s-3-1-3-2.5ZM10 19v-4h4v4",
  call: "M7 3.5 10 8 7.8 10.2a13 13 0 0 0 6 6L16 14l4.5 3-1 3.3c-.3.8-1 1.2-1.8 1.2C9.7 20.6 3.4 14.3 2.5 6.3c0-.8.4-1.5 1.2-1.8Z",
  page: "M3 6.5A2.5 2.5 0 0 1 5.5 4h13A2.5 2.5 0 0 1 21 6.5v11a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 17.5ZM3 9h18M6 6.5h.01M9 6.5h.01",
  plane:
    "M12 2.5c.9 0 1.5 1 1.5 2.5v4.5l7.5 5v2L13.5 14v4.5l2.5 2V22L12 21l-4 1v-1.5l2.5-2V14L3 16.5v-2l7.5-5V5c0-1.5.6-2.5 1.5-2.5Z",
  quiet: "M6 16V11a6 6 0 0 1 9.5-4.9M18 10v6l1.5 2H8M10 21h4M3 3l18 18",
  copy: "M9 9h10a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 19 21H10a1.5 1.5 0 0 1-1.5-1.5V9ZM15.5 9V4.5A1.5 1.5 0 0 0 14 3H5a1.5 1.5 0 0 0-1.5 1.5v9A1.5 1.5 0 0 0 5 15h3.5",
  check: "m5 12.5 4.5 4.5L19 7.5",
  cross: "m6 6 12 12M18 6 6 18",
  back: "m14.5 5-7 7 7 7",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7.5V12l3 2",
  other: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 8v5M12 16.5h.01"
} as const

export type IconName = keyof typeof OUTLINES

export const Icon = ({ name }: { readonly name: IconName }) => <Drawing outline={OUTLINES[name]} />

export const Drawing = ({ outline }: { readonly outline: string }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" width="20" height="20">
    <path d={outline} />
  </svg>
)
