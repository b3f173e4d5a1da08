/**
 * The form without markup: a state machine as pure functions, and a controller that asks the handler. For a user
 * interface of your own; `@watchword/form/element` is one.
 */
export { type Controller, type Options, createForm } from "./internal/Controller.ts"
export { type Code, type Form, type Happening, type Step, begin, resendIn, step } from "./internal/Machine.ts"
export { type Entered, readCode } from "./internal/Code.ts"
export { type Country, callingCodeOf, countriesIn } from "./internal/Countries.ts"
export { type Texts, type Values, directionOf, filled, languageOf, languages } from "./internal/Texts.ts"
export type { NumberRead, Numbers } from "./internal/numbers/Numbers.ts"
export type { Answer, Ask, Problem, Readable, Reason, Sent, Stage } from "./internal/Wire.ts"
