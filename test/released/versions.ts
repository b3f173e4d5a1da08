/**
 * The releases whose databases are kept, each in a folder `test/released/VERSION` of every store. README.md says what
 * to do at a release.
 */

/** Their folders are never changed. */
export const released: ReadonlyArray<string> = []

/** The next release. `npm run databases` writes its folders again after each change of a schema. */
export const unreleased = "0.1.0"
