/**
 * The language server of TypeScript, asked what an editor asks: the text that is shown for a name.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

export interface LanguageServer {
  /**
   * The texts for the names before which a program has the mark `MARK`, in their order: what TypeScript declares, and
   * the comment.
   *
   * @param path the program's place in the workspace, by which it finds packages; there is no such file
   */
  readonly hovers: (path: string, program: string) => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

/** What an editor asks for: code and comment told apart. */
const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } }

export const MARK = "/**/"

export const start = async (): Promise<LanguageServer> => {
  const server = spawn(join(root, "node_modules/.bin/tsc"), ["--lsp", "--stdio"], { stdio: ["pipe", "pipe", "ignore"] })
  const { ask, tell } = connection(server)
  await ask("initialize", { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities })
  tell("initialized", {})

  const hovers: LanguageServer["hovers"] = async (path, program) => {
    const uri = pathToFileURL(join(root, path)).href
    tell("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text: program } })
    const found: Array<string> = []
    for (const position of marks(program)) {
      const { contents } = Object(await ask("textDocument/hover", { textDocument: { uri }, position }))
      found.push(String(Object(contents).value ?? contents))
    }
    return found
  }

  const close = async () => {
    const exited = once(server, "exit")
    server.kill()
    await exited
  }
  return { hovers, close }
}

const marks = (program: string) =>
  program
    .split("\n")
    .flatMap((text, line) =>
      [...text.matchAll(/\/\*\*\//g)].map(({ index }) => ({ line, character: index + MARK.length }))
    )

/** Messages of JSON-RPC, each behind a header with its length. */
const connection = ({ stdin, stdout }: ChildProcess) => {
  const waiting = new Map<number, (result: unknown) => void>()
  let rest = Buffer.alloc(0)
  stdout?.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf("\r\n\r\n")
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(rest.subarray(0, end).toString())?.[1])
      if (rest.length < end + 4 + length) return
      const { id, method, result } = JSON.parse(rest.subarray(end + 4, end + 4 + length).toString())
      rest = rest.subarray(end + 4 + length)
      // The server asks its editor too, for its settings: there are none.
      if (method === undefined) waiting.get(id)?.(result)
      else if (id !== undefined) write({ id, result: null })
    }
  })
  const write = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
    stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  let asked = 0
  const ask = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      const id = ++asked
      waiting.set(id, (result) => {
        waiting.delete(id)
        resolve(result)
      })
      write({ id, method, params })
    })
  return { ask, tell: (method: string, params: object) => write({ method, params }) }
}
