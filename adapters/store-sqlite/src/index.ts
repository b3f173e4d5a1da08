/**
 * The store on SQLite.
 */
export { sqlite } from "./SqliteStore.ts"
export * as SqliteStore from "./SqliteStore.ts"
