/**
 * The faces of commands. Every command is on the command line; a command that is missing on a face says why, and the
 * answer to a call there names the face that has it.
 */
import { NotFound } from "@watchword/schemas/Errors"

/** `http` is the operators' API, which the console asks too; `program` is `service.operator`. */
export type Elsewhere = "http" | "program"

/** The faces that a command is not on, each with the reason, a clause. */
export type Absent = Readonly<Partial<Record<Elsewhere, string>>>

export interface Placed {
  /** Its words, such as `["account", "credit"]`. */
  readonly name: ReadonlyArray<string>
  readonly absent: Absent
}

/** A word of a command as a program names it: `testNumber`. */
export const inProgram = (word: string): string => word.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** The failure of a command that was asked for on a face where it is not. */
export const notHere = ({ absent, name }: Placed, face: Elsewhere): NotFound => {
  const words = name.join(" ")
  const app = absent.program === undefined ? `, or service.operator.${name.map(inProgram).join(".")} in an app` : ""
  const where = `\`watchword ${words}\` on the machine of the server${app}`
  return new NotFound({
    message: `${words} is not available here, because ${absent[face] ?? "it runs elsewhere"}. Use ${where}.`
  })
}
