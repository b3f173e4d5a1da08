import { nameOf, statuses } from "../../src/internal/smpp/CommandStatusNames.ts"
import smpp from "smpp"
import { describe, expect, it } from "vitest"

describe("the names of command statuses", () => {
  it("are those of another project", () => {
    expect(smpp.errors).toMatchObject(statuses)
    expect([nameOf(0x58), nameOf(0x0401)]).toEqual(["ESME_RTHROTTLED", "0x00000401"])
  })
})
