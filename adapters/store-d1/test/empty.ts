/** A Worker that only has a database. */
export default { fetch: () => new Response() }
