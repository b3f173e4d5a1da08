/**
 * The handler behind the form: an app mounts it at one address, under any framework that has the web's `Request` and
 * `Response`, or by `nodeListener` under Node.
 */
export { type Handler, formHandler } from "./internal/handler/Handler.ts"
export { nodeListener } from "./internal/handler/Listener.ts"
export type { Approval, Approved, Options, PageParts, StartOptions } from "./internal/handler/Options.ts"
export type { Account, InProcess, Remote } from "./internal/handler/Service.ts"
