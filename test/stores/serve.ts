/**
 * A process that has the server's lease on a store until it is killed: `node serve.ts ADDRESS`. It prints a line once
 * it has it, or why it has not.
 */
import { nextProcessId } from "@watchword/schemas/Ids"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { layerOf } from "./layerOf.ts"

const say = (line: string) => Effect.sync(() => void writeSync(1, `${line}\n`))

// Nothing else keeps the process alive.
setInterval(() => {}, 60_000)

const program = Store.use((store) => store.renewLease({ process: nextProcessId(Date.now()), duration: 60_000 })).pipe(
  Effect.matchEffect({
    onSuccess: () => Effect.andThen(say("serves"), Effect.never),
    onFailure: ({ message }) => say(message)
  })
)

await Effect.runPromise(Effect.provide(program, layerOf(process.argv[2] ?? "")))
