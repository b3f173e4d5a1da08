/**
 * TypeScript's language server, queried as an editor queries it: for the texts, the names and the errors it shows.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { endWithRunner } from "./exits/endWithRunner.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Takes a path in the folder, from which packages are resolved (no such file exists), and a program with marks. */
type Ask<Answer> = (path: string, program: string) => Promise<Answer>

export interface LanguageServer {
  /** The texts for the names after the marks `MARK`, in their order: TypeScript's declaration, and the comment. */
  readonly hovers: Ask<ReadonlyArray<string>>
  /** The names offered at each mark, in the order of the list; optional fields are listed without their `?`. */
  readonly completions: Ask<ReadonlyArray<ReadonlyArray<string>>>
  /** The signatures of the call around each mark. */
  readonly signatures: Ask<ReadonlyArray<string>>
  /** The compiler's errors. */
  readonly diagnostics: Ask<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

/** Hover texts in Markdown, as editors request them, in which code and comment can be distinguished. */
const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } }

export const MARK = "/**/"

/** @param folder of the programs; by default the workspace */
export const start = async (folder = root): Promise<LanguageServer> => {
  const server = spawn(join(root, "node_modules/.bin/tsc"), ["--lsp", "--stdio"], { stdio: ["pipe", "pipe", "ignore"] })
  endWithRunner(server)
  const { ask, tell } = connection(server)
  await ask("initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities })
  tell("initialized", {})

  const opened = async <A>(path: string, text: string, use: (textDocument: { readonly uri: string }) => Promise<A>) => {
    const uri = pathToFileURL(join(folder, path)).href
    tell("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } })
    try {
      return await use({ uri })
    } finally {
      tell("textDocument/didClose", { textDocument: { uri } })
    }
  }

  const atMarks =
    <A>(method: string, read: (answer: object) => A): Ask<ReadonlyArray<A>> =>
    (path, program) => {
      const { positions, text } = unmarked(program)
      return opened(path, text, async (textDocument) => {
        const found: Array<A> = []
        for (const position of positions) found.push(read(Object(await ask(method, { textDocument, position }))))
        return found
      })
    }

  const close = async () => {
    const exited = once(server, "exit")
    server.kill()
    await exited
  }
  return {
    hovers: atMarks("textDocument/hover", (answer) => {
      const { contents } = Object(answer)
      return String(Object(contents).value ?? contents)
    }),
    completions: atMarks("textDocument/completion", (answer) => shownFirst(listIn(answer, "items"))),
    signatures: atMarks("textDocument/signatureHelp", (answer) =>
      listIn(answer, "signatures")
        .map((signature) => String(Object(signature).label))
        .join("\n")
    ),
    diagnostics: (path, program) =>
      opened(path, program, async (textDocument) =>
        listIn(await ask("textDocument/diagnostic", { textDocument }), "items")
          .map((item) => Object(item))
          .filter(({ severity }) => severity === ERROR)
          .map(({ message }) => String(message))
      ),
    close
  }
}

const ERROR = 1

const listIn = (answer: unknown, name: string): ReadonlyArray<unknown> => {
  const list: unknown = Object(answer)[name]
  return Array.isArray(list) ? list : []
}

/** The names in the order in which editors show them; the server leaves the sorting to editors. */
const shownFirst = (items: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  items
    .map((item) => {
      const { label, sortText = label } = Object(item)
      return { name: String(label).replace(/\?$/, ""), place: String(sortText) }
    })
    .toSorted((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : a.name < b.name ? -1 : 1))
    .map(({ name }) => name)

/** The program without its marks, and the positions of the marks. */
const unmarked = (program: string) => {
  const positions: Array<{ readonly line: number; readonly character: number }> = []
  const lines = program.split("\n").map((text, line) => {
    const parts = text.split(MARK)
    let character = 0
    for (const part of parts.slice(0, -1)) positions.push({ line, character: (character += part.length) })
    return parts.join("")
  })
  return { positions, text: lines.join("\n") }
}

/** JSON-RPC messages, each preceded by a header with its length. */
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
      // The server also asks its editor for settings; the answer is null.
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
