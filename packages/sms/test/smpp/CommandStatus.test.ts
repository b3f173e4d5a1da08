import * as CommandStatus from "../../src/internal/smpp/CommandStatus.ts"
import * as Pdu from "../../src/internal/smpp/Pdu.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

describe("the names of command statuses", () => {
  it("are those of the specification", () => {
    expect([0x00, 0x58, 0x0401].map(Pdu.statusName)).toEqual(["ESME_ROK", "ESME_RTHROTTLED", "0x00000401"])
    expect([CommandStatus.QUEUE_FULL, CommandStatus.TRY_AGAIN, CommandStatus.INVALID_COMMAND]).toEqual([0x14, 0x64, 3])
  })

  it("are refused where the specification lacks them", () => {
    expect(() => Pdu.status("ESME_RTHROTLED")).toThrow("SMPP has no ESME_RTHROTLED")
  })
})

const status = FastCheck.oneof(FastCheck.nat({ max: 0x500 }), FastCheck.integer({ min: 0, max: 0xffff_ffff }))
const meaning = FastCheck.constantFrom(...CommandStatus.meanings)

describe("a command status", () => {
  it("is a success at zero alone, and any other refuses, whatever the option says", () => {
    FastCheck.assert(
      FastCheck.property(status, FastCheck.array(FastCheck.tuple(status, meaning)), (status, given) => {
        expect(CommandStatus.verdict(status, new Map(given))._tag === "Accepted").toBe(status === 0)
      })
    )
  })

  it("has the meaning of the option before that of the standard", () => {
    FastCheck.assert(
      FastCheck.property(status, meaning, (status, meaning) => {
        if (status === 0) return
        const own = 0x4f0
        const verdict = CommandStatus.verdict(status, new Map([[status, meaning]]))
        expect(verdict).toBe(CommandStatus.verdict(own, new Map([[own, meaning]])))
        expect(CommandStatus.isKnown(status, new Map([[status, meaning]]))).toBe(true)
      })
    )
  })

  it("is read in hexadecimal, in decimal and by its name, with and without zeros", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 1, max: 0xffff_ffff }),
        FastCheck.nat({ max: 8 }),
        (status, zeros) => {
          const digits = status.toString(16).padStart(zeros, "0")
          expect(CommandStatus.read(`0x${digits}`)).toBe(status)
          expect(CommandStatus.read(`0X${digits.toUpperCase()}`)).toBe(status)
          expect(CommandStatus.read(String(status))).toBe(status)
          if (Pdu.isStatus(status)) expect(CommandStatus.read(Pdu.statusName(status).toLowerCase())).toBe(status)
        }
      )
    )
  })
})
