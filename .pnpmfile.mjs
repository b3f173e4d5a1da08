// Read by pnpm. The lockfile holds a hash of this file, so the hooks are in a file of their own.
export { hooks } from "./scripts/published.mjs"
