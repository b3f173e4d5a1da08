/**
 * Files of JSON that commands take.
 */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { mistake } from "./root.ts"

/** @param file its path, or `-` for standard input */
export const readJson = (file: string) =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
      catch: () => mistake(`The file ${file} cannot be read.`)
    }),
    (text) =>
      Effect.try({ try: (): unknown => JSON.parse(text), catch: () => mistake(`The file ${file} is not JSON.`) })
  )
