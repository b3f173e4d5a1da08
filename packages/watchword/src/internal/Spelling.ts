/**
 * The direct calls of the chat gateway as the client has them: numbers are `to`, prices are `price`, and times are
 * ISO 8601 as in all other records, where the wire has the names of the Telegram Gateway API and Unix seconds.
 */
import { type ListBody, type Listing, type Tdr, listingOf } from "@watchword/client"
import type { builtIn } from "./Channels.ts"
import type { Directs } from "./Direct.ts"
import type { Groups } from "./InProcess.ts"

export const spelled = (chatgw: Directs<typeof builtIn>["chatgw"]): Groups["chatgw"] => ({
  ...chatgw,
  send: async (...args) => priced(await chatgw.send(...args)),
  checkSendAbility: async (...args) => {
    const { delivery_status, phone_number: to, ...answer } = await chatgw.checkSendAbility(...args)
    return { ...priced(answer), to, delivery_status: timed(delivery_status) }
  },
  checkVerificationStatus: async (...args) => {
    const { verification_status, ...answer } = await chatgw.checkVerificationStatus(...args)
    return { ...answer, verification_status: verification_status && timed(verification_status) }
  },
  get: async (...args) => priced(await chatgw.get(...args)),
  list: (caller, body = {}) => listed((page) => chatgw.list(caller, { ...onWire(body), page }), body.page)
})

const priced = <A extends { readonly request_cost: number }>({ request_cost: price, ...answer }: A) => ({
  ...answer,
  price
})

const timed = <A extends { readonly updated_at: number }>({ updated_at, ...answer }: A) => ({
  ...answer,
  updated_at: new Date(updated_at * 1000).toISOString()
})

type OnWire = Parameters<Directs<typeof builtIn>["chatgw"]["list"]>[1]

const onWire = ({ filter, sort_by, ...body }: ListBody<Tdr>): NonNullable<OnWire> => ({
  ...body,
  ...(sort_by === undefined ? {} : { sort_by: sort_by === "price" ? "request_cost" : sort_by }),
  ...(filter === undefined ? {} : { filter: filterOnWire(filter) })
})

const filterOnWire = ({ price, ...filter }: NonNullable<ListBody<Tdr>["filter"]>) =>
  price === undefined ? filter : { ...filter, request_cost: price }

type Page = Awaited<ReturnType<Directs<typeof builtIn>["chatgw"]["list"]>>

const listed = (pageOf: (page: number) => PromiseLike<Page>, first?: number): Listing<Tdr> =>
  listingOf(async (number) => {
    const page = await pageOf(number)
    return { ...page, list: page.list.map(priced) }
  }, first)
