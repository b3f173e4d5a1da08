import { defineConfig } from "vitest/config"

// Tests against other projects' software; `npm run test:peers` sees to it that it is there.
export default defineConfig({
  test: {
    include: ["**/test-peers/**/*.test.ts"],
    setupFiles: ["test/exits/setup.ts"],
    globalSetup: ["packages/standalone/test/bundle.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
