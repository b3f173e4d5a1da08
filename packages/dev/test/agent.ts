/**
 * An agent's connection to a development server's tools, with another project's client of the protocol.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as Schema from "effect/Schema"

const bodyOf = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))
const textsOf = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ text: Schema.String })))

export const agent = async (origin: string) => {
  const client = new Client({ name: "test", version: "1" })
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`))
  // The package's own transport does not satisfy its interface under `exactOptionalPropertyTypes`.
  const connected: unknown = Reflect.apply(client.connect, client, [transport])
  await connected
  const ask = async (name: string, given: Readonly<Record<string, unknown>> = {}) =>
    client.callTool({ name, arguments: { ...given } })
  return {
    tools: async () => (await client.listTools()).tools,
    /** The structured answer of a tool. */
    call: async (name: string, given?: Readonly<Record<string, unknown>>) => {
      const { content, isError, structuredContent } = await ask(name, given)
      if (isError === true) throw new Error(JSON.stringify(content))
      return bodyOf(structuredContent)
    },
    /** The text of a tool's refusal. */
    refused: async (name: string, given?: Readonly<Record<string, unknown>>): Promise<string> => {
      const { content, isError } = await ask(name, given)
      if (isError !== true) throw new Error(`${name} was not refused`)
      return textsOf(content)
        .map(({ text }) => text)
        .join("\n")
    },
    close: () => client.close()
  }
}
