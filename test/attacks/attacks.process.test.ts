import { describe, expect, it } from "vitest"
import { attacks } from "./attacks.ts"
import { replay } from "./replay.ts"

/** What gets through: how much of an attack, and how many users are refused. */
const expected: Readonly<Record<string, { readonly sent: number; readonly usersRefused: number }>> = {
  "1000 numbers of one expensive prefix, from one address": { sent: 5, usersRefused: 0 },
  "the same from 1000 addresses": { sent: 5, usersRefused: 0 },
  // The country is blocked, so its five users are too.
  "1000 numbers of many prefixes, from a rotated /48 of IPv6": { sent: 20, usersRefused: 5 },
  "one victim flooded on all channels, from 200 addresses": { sent: 5, usersRefused: 0 },
  "a resend button hammered 100 times": { sent: 1, usersRefused: 0 },
  "a victim's limit used up by another, who then logs in": { sent: 5, usersRefused: 0 },
  "five checks each at 100 verifications of one number": { sent: 5, usersRefused: 0 },
  "a burst on both sides of a window's edge, 10 every 6 s": { sent: 10, usersRefused: 0 },
  "by default: 1000 verifications of one prefix, from 1000 addresses": { sent: 30, usersRefused: 0 },
  "by default: 1000 verifications of many prefixes, from a rotated /48 of IPv6": { sent: 100, usersRefused: 0 }
}

describe("an attack", () => {
  it.each(attacks)("of $name costs what rules let through, and users get their codes", async (attack) => {
    const open = await replay(attack, false)
    expect(open).toMatchObject({ refused: 0, usersRefused: 0 })
    const guarded = await replay(attack, true)
    expect(guarded).toMatchObject(expected[attack.name] ?? {})
    expect(guarded.sent + guarded.refused).toBe(open.sent)
    expect(guarded.cost).toBeLessThan(open.cost)
  })
})
