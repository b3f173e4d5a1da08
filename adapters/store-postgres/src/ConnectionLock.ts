/**
 * A lock that one connection holds until it ends, however its process ends.
 *
 * It belongs to a transaction, and so works behind a transaction pooler; the connection serves nothing else meanwhile.
 */
import { type Client, escapeLiteral } from "pg"

/**
 * Takes a lock, and answers whether no other connection has it. @param application keeps it apart from locks of other
 * uses
 */
export const tryTake = async (client: Client, application: number, name: string): Promise<boolean> => {
  await client.query("BEGIN")
  await client.query("SET LOCAL idle_in_transaction_session_timeout = 0")
  // Without parameters: the portal of a query with parameters keeps its snapshot until the transaction ends.
  const { rows } = await client.query<{ readonly taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${application}, hashtext(${escapeLiteral(name)})) AS taken`
  )
  if (rows[0]?.taken === true) return true
  await client.query("ROLLBACK")
  return false
}
