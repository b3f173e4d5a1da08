import * as CommandStatus from "../../src/internal/smpp/CommandStatus.ts"
import * as Pdu from "../../src/internal/smpp/Pdu.ts"
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
