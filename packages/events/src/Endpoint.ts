/**
 * An endpoint of webhooks as it is kept: its secret, its state, its throughput, and the balance at which it is warned.
 */
export { endpoints, newSecret, nextWebhookId, states } from "./internal/Endpoint.ts"
export * as FindEndpoint from "./internal/FindEndpoint.ts"
export * as LowBalance from "./internal/LowBalance.ts"
export { lowBalance } from "./internal/LowBalance.ts"
export { CONCURRENCY, type Throughput } from "./internal/Throughput.ts"
