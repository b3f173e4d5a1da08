/**
 * The changes that the step engine decides. A broken constraint throws, and the transaction is rolled back.
 */
import { nextEntryId } from "@watchword/schemas/Ids"
import { type Balance, type Entry, directionOf, posted } from "@watchword/store/Account"
import type { Event } from "@watchword/store/Event"
import type { Changes, HeldClaim, Part } from "@watchword/store/step"
import * as Option from "effect/Option"
import type { Database } from "./Database.ts"
import { BALANCE, tenantOf } from "./Snapshot.ts"

/** Moves money that is there, and writes the entry. */
export const post = ({ one, run }: Database, posting: Omit<Entry, "from" | "to">) => {
  const { account, amount, kind } = posting
  const before = one<Balance>(`SELECT ${BALANCE} FROM accounts WHERE id = ?`, account)
  if (before === undefined) throw new Error(`the account ${account} does not exist`)
  const after = Option.getOrThrow(posted(before, kind, amount))
  run("UPDATE accounts SET available = ?, held = ? WHERE id = ?", after.available, after.held, account)
  const entry: Entry = { ...posting, ...directionOf[kind] }
  run("INSERT INTO entries (id, account, entry) VALUES (?, ?, ?)", entry.id, account, JSON.stringify(entry))
}

/** Writes events that wait, once each. */
export const append = ({ run }: Database, events: ReadonlyArray<Event>): void => {
  for (const event of events) {
    run(
      "INSERT OR IGNORE INTO events (id, endpoint, state, due_at, event) VALUES (?, ?, 'waiting', ?, ?)",
      event.id,
      event.endpoint,
      event.at,
      JSON.stringify(event)
    )
  }
}

export const apply = (database: Database, changes: Changes): void => {
  const { run } = database
  for (const { claims, delivery, owner } of changes.opened) {
    const { account, id, mode } = delivery
    run("INSERT INTO deliveries (id, record, owner) VALUES (?, ?, ?)", id, JSON.stringify(delivery), owner)
    for (const claim of claims) {
      const held: HeldClaim = { ...claim, delivery: id }
      run(
        "INSERT OR REPLACE INTO claims (tenant, key, claim, expires_at) VALUES (?, ?, ?, ?)",
        tenantOf(account, mode),
        claim.key,
        JSON.stringify(held),
        claim.expiresAt
      )
    }
  }
  for (const { after } of changes.updated) {
    run("UPDATE deliveries SET record = ? WHERE id = ?", JSON.stringify(after), after.id)
  }
  for (const { at, delivery, kind } of changes.postings) {
    const { account, id, price } = delivery
    post(database, { id: nextEntryId(at), account, delivery: id, kind, amount: price, reason: null, at })
  }
  for (const { channel, delivery, name, ref } of changes.parts) {
    const part: Part = { delivery, name }
    run("INSERT OR REPLACE INTO parts (channel, ref, part) VALUES (?, ?, ?)", channel, ref, JSON.stringify(part))
  }
  for (const { delivery, part, status } of changes.reported) {
    run("INSERT INTO part_reports (delivery, status, part) VALUES (?, ?, ?)", delivery, status, part)
  }
  for (const { delivery, status } of changes.complete) {
    run("DELETE FROM part_reports WHERE delivery = ? AND status = ?", delivery, status)
  }
  if (changes.unmatched !== null) {
    const { at, target } = changes.unmatched
    const report = JSON.stringify(changes.unmatched)
    run("INSERT INTO unmatched (channel, report, at) VALUES (?, ?, ?)", target.channel, report, at)
  }
  for (const { n } of changes.replayed) run("DELETE FROM unmatched WHERE n = ?", n)
  append(database, changes.events)
}
