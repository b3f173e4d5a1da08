/**
 * The store on PostgreSQL.
 */
export { postgres } from "./PostgresStore.ts"
export * as PostgresStore from "./PostgresStore.ts"
