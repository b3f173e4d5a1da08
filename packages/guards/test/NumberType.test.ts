import { type NumberType, typeOf } from "@watchword/guards/Rules"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { describe, expect, it } from "vitest"

describe("the type of a number", () => {
  it.each<readonly [string, NumberType | null]>([
    ["+4915123456789", "mobile"],
    ["+499001234567", "premium_rate"],
    ["+4918012345678", "shared_cost"],
    ["+498001234567", "toll_free"],
    ["+4930123456", "fixed_line"],
    ["+12125550123", "fixed_line_or_mobile"],
    ["+447012345678", "personal_number"],
    ["+447640123456", "pager"],
    ["+80012345678", "toll_free"],
    ["+491999999", null]
  ])("%s is %s", (number, type) => {
    expect(typeOf(E164.make(number))).toBe(type)
  })
})
