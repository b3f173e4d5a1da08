/**
 * The error of carriers and routes that cannot be used.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * Carriers or routes that cannot be used: `path` says where, for example `routes[1].via[0].carrier`, and `message` is
 * the end of the sentence that begins with it. It never repeats a password.
 */
export class RoutesError extends Schema.TaggedError<RoutesError>()("RoutesError", {
  path: Schema.String,
  fix: Schema.String
}) {
  override get message(): string {
    return `${this.path} ${this.fix}.`
  }
}

export const fault = (path: string, fix: string): Result.Result<never, RoutesError> =>
  Result.fail(new RoutesError({ path, fix }))
