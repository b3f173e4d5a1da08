// A reporter that names the tests which passed only when they ran again, with the errors of their first run: they are to be
// mended, but a busy machine does not fail the whole run because of one.
module.exports = class Retried {
  #tests = []

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#tests.push(test)
  }

  onTestRunEnd() {
    for (const test of this.#tests) {
      console.error(`passed only when it ran again: ${test.module.relativeModuleId} > ${test.fullName}`)
      for (const { message, stack } of test.result().errors ?? []) console.error(stack ?? message)
    }
  }
}
