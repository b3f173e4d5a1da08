import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { FairQueue } from "../../src/internal/smpp/FairQueue.ts"

const drained = <Item>(queue: FairQueue<string, Item>): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

describe("a fair queue", () => {
  it("serves keys in turn, and items of a key in their order", () => {
    const queue = new FairQueue<string, string>(() => true)
    for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.append(item.slice(0, 1), item)
    expect(drained(queue)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"])
  })

  it("drops items that are not wanted, at no turn of their key's", () => {
    const unwanted = new Set(["a1", "a2", "b1"])
    const queue = new FairQueue<string, string>((item) => !unwanted.has(item))
    for (const item of ["a1", "a2", "a3", "b1", "c1"]) queue.append(item.slice(0, 1), item)
    expect([...queue.heads()]).toEqual(["a3", "c1"])
    expect([queue.size, queue.sizeOf("b")]).toEqual([2, 0])
    expect(drained(queue)).toEqual(["a3", "c1"])
  })

  it("behaves as lists by key that are taken from in turn", () => {
    const key = FastCheck.constantFrom("a", "b", "c")
    const step = FastCheck.oneof(
      FastCheck.record({ what: FastCheck.constantFrom("append" as const, "prepend" as const), key }),
      FastCheck.record({ what: FastCheck.constant("take" as const), key }),
      FastCheck.record({ what: FastCheck.constant("withdraw" as const), key })
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 60 }), (steps) => {
        const wanted = new Set<number>()
        const queue = new FairQueue<string, number>((item) => wanted.has(item))
        let model: Array<readonly [string, Array<number>]> = []
        // Only items before the next one are dropped.
        const clean = () => {
          while (model[0] !== undefined && !model[0][1].some((item) => wanted.has(item))) model.shift()
          const items = model[0]?.[1] ?? []
          items.splice(
            0,
            items.findIndex((item) => wanted.has(item))
          )
        }
        for (const [number, { key, what }] of steps.entries()) {
          if (what === "withdraw") {
            for (const item of wanted) if (item % 3 === 0) wanted.delete(item)
            continue
          }
          if (what === "take") {
            clean()
            const [head, ...others] = model
            const item = head?.[1].shift()
            expect(queue.take()).toBe(item)
            if (head !== undefined) model = head[1].length > 0 ? [...others, head] : others
            continue
          }
          wanted.add(number)
          queue[what](key, number)
          const list = model.find(([name]) => name === key)?.[1]
          if (list === undefined) model.push([key, [number]])
          else if (what === "append") list.push(number)
          else list.unshift(number)
        }
        const heads = model.map(([, items]) => items.find((item) => wanted.has(item)))
        expect([...queue.heads()]).toEqual(heads.filter((head) => head !== undefined))
      })
    )
  })
})
