import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { help, listen } from "../src/Keyboard.ts"

/** A terminal, with only the members that the keyboard needs. */
const terminal = () => {
  const modes: Array<boolean> = []
  const stream = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => void modes.push(raw) })
  return { modes, stream }
}

describe("the keyboard", () => {
  it("does what a key is for, takes Ctrl-C for q, and gives the terminal back", async () => {
    const pressed: Array<string> = []
    const failures: Array<unknown> = []
    const keys = ["o", "q"].map((key) => ({ key, does: `does ${key}`, press: () => void pressed.push(key) }))
    const failing = { key: "f", does: "fails", press: () => Promise.reject(new Error("it failed")) }
    const { modes, stream } = terminal()
    // oxlint-disable-next-line typescript/consistent-type-assertions -- a stream with the members of a terminal in use
    const stop = listen([...keys, failing], (error) => failures.push(error), stream as unknown as NodeJS.ReadStream)
    stream.write("oxf\u0003")
    await new Promise((resolve) => setImmediate(resolve))
    expect(pressed).toEqual(["o", "q"])
    expect(failures).toHaveLength(1)
    stop()
    expect(modes).toEqual([true, false])
    expect(help(keys)).toBe("o does o · q does q")
  })

  it("reads nothing where there is no terminal", () => {
    const { modes, stream } = terminal()
    // oxlint-disable-next-line typescript/consistent-type-assertions -- as above
    const input = Object.assign(stream, { isTTY: false }) as unknown as NodeJS.ReadStream
    listen([], () => {}, input)()
    expect(modes).toEqual([])
  })
})
