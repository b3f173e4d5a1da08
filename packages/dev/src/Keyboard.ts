/**
 * Keys of a development server, where it has a terminal.
 */
export interface Key {
  readonly key: string
  readonly does: string
  readonly press: () => void | Promise<void>
}

/** Calls back at each key; returns what gives the terminal back. Without a terminal nothing is read. */
export const listen = (
  keys: ReadonlyArray<Key>,
  failed: (error: unknown) => void,
  input: NodeJS.ReadStream = process.stdin
): (() => void) => {
  if (!input.isTTY) return () => {}
  const pressed = (bytes: Buffer) => {
    for (const typed of bytes.toString("utf8")) {
      // Ctrl-C comes as a character in this mode.
      const found = keys.find(({ key }) => key === (typed === "\u0003" ? "q" : typed))
      if (found !== undefined) Promise.resolve(found.press()).catch(failed)
    }
  }
  input.setRawMode(true)
  input.resume()
  input.on("data", pressed)
  return () => {
    input.off("data", pressed)
    input.setRawMode(false)
    input.pause()
  }
}

export const help = (keys: ReadonlyArray<Key>): string => keys.map(({ does, key }) => `${key} ${does}`).join(" · ")
