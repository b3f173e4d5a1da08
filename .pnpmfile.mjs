// Read by pnpm. The lockfile holds a hash of this file, which is why there is nothing in it.
export { hooks } from "./scripts/published.mjs"
