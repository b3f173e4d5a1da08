import * as Step from "@watchword/store/step"
import type { Event, Fact } from "@watchword/store/Event"
import type { Delivery } from "@watchword/store/Delivery"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type AnyStep, accounts, anySteps, funded, ids } from "./steps.ts"

const decide = (snapshot: Step.Snapshot, { _tag, request }: AnyStep): { readonly changes: Step.Changes } =>
  _tag === "Open"
    ? Step.open(snapshot, request)
    : _tag === "Close"
      ? Step.close(snapshot, request)
      : Step.report(snapshot, request)

/** Takes steps one after the other, and looks at each: the records before and after it, and its changes. */
const each = (
  steps: ReadonlyArray<AnyStep>,
  look: (changed: {
    readonly before: ReadonlyMap<string, Delivery>
    readonly after: ReadonlyMap<string, Delivery>
    readonly changes: Step.Changes
    readonly step: AnyStep
  }) => void
): void => {
  const tables = funded(3)
  const records = () => new Map(ids.flatMap((id) => tables.snapshot.delivery(id) ?? []).map((each) => [each.id, each]))
  for (const step of steps) {
    const before = records()
    const { changes } = decide(tables.snapshot, step)
    tables.apply(changes)
    look({ before, after: records(), changes, step })
  }
}

const isChange = (fact: Fact) => fact._tag === "DeliveryChanged"

const eventsOf = (events: ReadonlyArray<Event>, id: string, endpoint: string) =>
  events.filter((event) => event.endpoint === endpoint && isChange(event.fact) && event.fact.delivery === id)

/** The status of a delivery as its endpoints know it: null while its gateway is asked. */
const known = (delivery: Delivery | undefined) =>
  delivery === undefined || (Step.isOpen(delivery) && delivery.status.name === "begun") ? null : delivery.status.name

describe("events of any steps", () => {
  it("are one for each endpoint of a watched delivery whose status or outcome has become another, or that was noted", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        each(steps, ({ after, before, changes: { events }, step }) => {
          for (const [id, delivery] of after) {
            const was = before.get(id)
            const settled = (was === undefined || Step.isOpen(was)) && !Step.isOpen(delivery)
            const moved = settled || (was !== undefined && known(was) !== known(delivery))
            const noted =
              step._tag === "Report" && step.request.target._tag === "Delivery" && step.request.target.id === id
                ? (step.request.note ?? null)
                : null
            const took =
              was !== undefined &&
              (was.details !== delivery.details || was.status !== delivery.status || was.phase !== delivery.phase)
            const tells = moved || (noted !== null && took)
            for (const endpoint of ["one", "two"]) {
              const isTold = delivery.watch?.endpoints.includes(endpoint) === true
              const facts = eventsOf(events, id, endpoint).map(({ fact }) => fact)
              expect(facts).toEqual(
                isTold && tells
                  ? [
                      {
                        _tag: "DeliveryChanged",
                        channel: delivery.channel,
                        delivery: id,
                        version: delivery.watch?.version,
                        status: delivery.status.name,
                        phase: delivery.phase,
                        moved,
                        note: took ? noted : null
                      }
                    ]
                  : []
              )
            }
            const version = was?.watch?.version ?? 0
            expect(delivery.watch === null ? null : delivery.watch.version).toBe(
              delivery.watch === null ? null : tells ? version + 1 : version
            )
          }
        })
      }),
      { numRuns: 500 }
    )
  })

  it("change neither answers nor records nor money", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const [watched, plain] = [funded(3), funded(3)]
        for (const step of steps) {
          const unwatched: AnyStep =
            step._tag === "Open" ? { _tag: "Open", request: { ...step.request, watch: { endpoints: [] } } } : step
          const [one, other] = [decide(watched.snapshot, step).changes, decide(plain.snapshot, unwatched).changes]
          expect(other.events).toEqual([])
          expect(one.postings.map(({ at, kind }) => [at, kind])).toEqual(
            other.postings.map(({ at, kind }) => [at, kind])
          )
          watched.apply(one)
          plain.apply(other)
          for (const id of ids) {
            expect({ ...watched.snapshot.delivery(id), watch: null }).toEqual({
              ...plain.snapshot.delivery(id),
              watch: null
            })
          }
          for (const account of accounts)
            expect(watched.snapshot.account(account)).toEqual(plain.snapshot.account(account))
        }
      })
    )
  })

  it("tell of a low balance where a step takes it from the threshold or above to below it", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const tables = funded(4)
        for (const step of steps) {
          const account = step._tag === "Open" ? step.request.delivery.account : null
          const low = step._tag === "Open" ? step.request.watch?.balanceLow : undefined
          const before = account === null ? 0 : (tables.snapshot.account(account)?.balance.available ?? 0)
          const { changes } = decide(tables.snapshot, step)
          tables.apply(changes)
          const after = account === null ? 0 : (tables.snapshot.account(account)?.balance.available ?? 0)
          const crossed = low !== undefined && before >= low.threshold && after < low.threshold
          const told = changes.events.filter(({ fact }) => fact._tag === "BalanceLow").map(({ endpoint }) => endpoint)
          expect(told).toEqual(crossed ? low.endpoints : [])
        }
      })
    )
  })
})
