/**
 * A request that is answered with an error of Vonage's before the service is asked.
 */
import type { More, Problem } from "./Problems.ts"

/** An error of Vonage's as a value that ends a request. */
export class Refused extends Error {
  readonly problem: Problem
  readonly more: More

  constructor(problem: Problem, more: More = {}) {
    super(problem)
    this.problem = problem
    this.more = more
  }
}

/** The 422 for parameters that are wrong. */
export const invalidParameters = (invalid: NonNullable<More["invalid_parameters"]>): Refused =>
  new Refused("invalidParams", { invalid_parameters: invalid })
