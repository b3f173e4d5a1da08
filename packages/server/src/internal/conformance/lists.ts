/**
 * Lists of a channel's records.
 */
import { type CaseOf, group, like, same } from "@watchword/store/checks"
import { error, success } from "./answers.ts"
import type { Channel } from "./channels.ts"
import { type Client, each, test } from "./client.ts"

export const lists = ({ id, name, paths, recipient, request, ...channel }: Channel): ReadonlyArray<CaseOf<Client>> =>
  group(`${name}: a list`, [
    test("is sorted, filtered and cut into pages", async ({ number, postJson }) => {
      const list = async (body: object) =>
        success(await postJson(paths.list, { filter: { [recipient]: to }, rows_per_page: 2, ...body }))
      const to = number("0001")
      const sent: Array<unknown> = []
      for (const _ of [1, 2, 3]) sent.push(success(await postJson(paths.send, request(to)))[id.field])
      const rows = (...indices: ReadonlyArray<number>) => indices.map((index) => ({ [id.field]: String(sent[index]) }))
      const totals = { total: 3, total_pages: 2 }

      const first = await list({ sort_by: id.field, sort_direction: "ASC" })
      like("first page", first, { ...totals, has_next_page: true, has_previous_page: false, list: rows(0, 1) })
      const second = await list({ page: 2 })
      like("second page", second, { ...totals, has_next_page: false, has_previous_page: true, list: rows(0) })
      like("page past the end", await list({ page: 9 }), { ...totals, has_next_page: false, list: [] })
      like("first page by one id", await list({ filter: { [id.field]: sent[1] } }), { total: 1, list: rows(1) })
    }),

    test("needs no body", async ({ post }) => {
      same("list", Array.isArray(success(await post(paths.list, undefined))["list"]), true)
    }),

    test("may be asked for with fields of other services", async ({ postJson }) => {
      success(await postJson(paths.list, { PageSize: 1, filters: {} }))
    }),

    test("has an empty page past the end", async ({ postJson }) => {
      like("page", success(await postJson(paths.list, { page: 4_000_000_000 })), { list: [], has_next_page: false })
    }),

    ...each(
      channel.sortable,
      (field) => `can be sorted by ${field}`,
      async ({ postJson }, field) => {
        for (const direction of ["ASC", "DESC"]) {
          success(await postJson(paths.list, { sort_by: field, sort_direction: direction }))
        }
      }
    ),

    ...each(
      [
        { page: 0 },
        { page: 1.5 },
        { page: "1" },
        { rows_per_page: 101 },
        { sort_by: "nope" },
        { sort_by: "constructor" },
        { sort_direction: "asc" },
        { filter: [] },
        { filter: { nope: 1 } },
        { filter: { __proto__x: 1 } },
        { filter: { [recipient]: { gte: {} } } },
        ...channel.wrongLists
      ],
      (body) => `does not take ${JSON.stringify(body)}`,
      async ({ postJson }, body) => {
        error(await postJson(paths.list, body), 400, "BAD_REQUEST")
      }
    )
  ])
