/**
 * Cases for a further mount of a host whose first mount passes the whole suite: one for each of the abilities that a
 * mount may change, and one each for the body, the headers and the order of checks.
 */
import type { Case } from "@watchword/store/checks"
import { MAX_BODY_BYTES } from "../../Host.ts"

const NAMES = [
  "a body: may come in chunks that split a character",
  `a body: may have ${MAX_BODY_BYTES} bytes and no more`,
  "a correlation id: comes back as it was given, with successes and with errors",
  "the order of checks: 401 before anything else: an unknown key",
  'paths and methods: POST "/sms/../sms" of 11 characters is no endpoint',
  'paths and methods: POST "//sms" of 5 characters is no endpoint',
  'paths and methods: POST "/%ZZ" of 4 characters is no endpoint',
  'paths and methods: POST "/nope" of 5 characters is no endpoint',
  "paths and methods: OPTIONS is no method of /sms",
  "call: a call that is declined is answered 603 where the host can send that"
]

/** The cases of the suite that differ from mount to mount. */
export const ofMounts = (suite: ReadonlyArray<Case>): ReadonlyArray<Case> =>
  NAMES.map((name) => {
    const found = suite.find((each) => each.name === name)
    if (found === undefined) throw new Error(`the suite has no case "${name}"`)
    return found
  })
