/**
 * The prefix of numbers as people type it. It is in the request's address, so it must not be a whole number.
 */
import { numberIn } from "../words.ts"

/** A text that was checked. */
export type Checked = { readonly value: string } | { readonly problem: string }

/** The most digits; few countries have numbers that short. */
const MOST = 7

export const prefixIn = (text: string): Checked => {
  const digits = numberIn(text).replace(/^\+/, "")
  if (digits === "") return { value: "" }
  if (!/^\d+$/.test(digits)) return { problem: "A prefix has only digits, such as +4915." }
  if (digits.startsWith("0")) return { problem: "A prefix begins with a calling code, such as +49." }
  if (digits.length > MOST)
    return { problem: `A prefix has at most ${MOST} digits. To find a whole number, press / and type it.` }
  return { value: `+${digits}` }
}
