/**
 * The endpoints of a service's features, for hosts that mount them at their root.
 */
export { type Endpoints, make } from "./internal/Endpoints.ts"
