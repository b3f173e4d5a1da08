export { postgres } from "./PostgresStore.ts"
export * as PostgresStore from "./PostgresStore.ts"
