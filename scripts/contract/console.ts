/**
 * The types of the console's requests: the input and the output of each command of operators, as JSON has them.
 */
import { commands } from "../../packages/operator/src/commands/index.ts"
import { ClientFacts } from "../../packages/schemas/src/SharedFields.ts"
import * as Types from "./types.ts"

export const consoleCommands = (): string => {
  const types = Types.make(ClientFacts)
  const members = commands.map(
    ({ description, input, name, output }) =>
      `${Types.commentOf(`${description}.`)}readonly "${name.join(" ")}": {\n` +
      `readonly input: ${types.typeOf(input)}\nreadonly output: ${types.typeOf(output)}\n}\n`
  )
  return [
    "/**\n * The commands of operators, by their names. Written by scripts/contract.ts.\n */\n",
    ...types.declarations.values(),
    `export interface Commands {\n${members.join("")}}\n`
  ].join("\n")
}
