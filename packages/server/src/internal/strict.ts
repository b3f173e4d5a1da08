/**
 * How routers match paths.
 */

/** One spelling for each path: no other case, no doubled or trailing slashes. */
export const STRICT = { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false }
