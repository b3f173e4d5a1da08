/**
 * What each process of a service does for its operators by itself: it sweeps records that are older than the
 * installation keeps them, and adds up the traffic.
 */
export { Rollup, layer as rollupLayer } from "./insight/traffic/Rollup.ts"
export { Retention, layer as retentionLayer } from "./privacy/Retention.ts"
