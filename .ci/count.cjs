// Prints the sum of reports of Vitest as one line. A report that is missing counts as one failure, and so does a file that could
// not be loaded, because its tests never ran.
const { readFileSync } = require("node:fs")

const read = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    console.error(`${path}: ${error.message}`)
    return null
  }
}

const sum = { passed: 0, failed: 0, skipped: 0 }
for (const report of process.argv.slice(2).map(read)) {
  if (report === null) {
    sum.failed++
    continue
  }
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0)
  sum.passed += report.numPassedTests
  sum.failed += report.numFailedTests + broken.length
  sum.skipped += report.numPendingTests + report.numTodoTests
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = sum.failed === 0 ? 0 : 1
