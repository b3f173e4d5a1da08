/**
 * A verification as clients have it, and where the sends of its codes come from.
 */
export { attemptOrigin } from "./internal/AttemptOrigin.ts"
export { format, toId, toWireId } from "./internal/VerificationFormat.ts"
