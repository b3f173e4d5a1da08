/**
 * Sentences of the server, with their times in the viewer's zone.
 */
import { When } from "../kit/When.tsx"

const TIME = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/

export const ServerText = ({ text }: { readonly text: string }) => (
  <>{text.split(TIME).map((part) => (TIME.test(part) ? <When key={part} at={part} /> : part))}</>
)
