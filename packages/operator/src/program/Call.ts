/**
 * A command as a function of a program: one object in, a promise out. The commands themselves are loaded by the first
 * call: no program pays for commands that it does not run, neither at its start nor, where its bundle is in parts, in
 * the part that starts.
 */
import type * as Effect from "effect/Effect"
import type { Command } from "../command/Command.ts"
import type { Placed } from "../command/Faces.ts"
import type { Needs } from "../commands/index.ts"
import type * as All from "../commands/All.ts"

/** Runs an effect with the services of a running Watchword. */
export type Run = <A, E>(effect: Effect.Effect<A, E, Needs>) => Promise<A>

/** A field of a command's input: an id may be any text. */
export type Field<C, K extends string> = C extends { readonly "~input"?: (input: infer I) => unknown }
  ? Loose<I extends { readonly [P in K]?: infer T } ? T : never>
  : never

/** The output of a command. */
export type Output<C> = C extends Command<infer _I, infer J, infer _R> ? J : never

type Loose<T> = T extends string ? (T extends Branded ? string : T) : T

interface Branded {
  readonly "~effect/Brand": unknown
}

/** @param who whom the operators' log names */
export const caller =
  (run: Run, who: string) =>
  <I, J>(choose: (all: typeof All) => Command<I, J, Needs>) =>
  async (input: unknown = {}): Promise<J> => {
    const all = await import("../commands/All.ts")
    // With its caller in the stack of a rejection.
    return await run(all.asked(choose(all), who, input))
  }

/** A command that only the command line has: its rejection says so. */
export const refuser = (run: Run) => (choose: (all: typeof All) => Placed) => async (): Promise<never> => {
  const all = await import("../commands/All.ts")
  return await run(all.elsewhere(choose(all)))
}
