/**
 * Places of requests to endpoints: which due events may be taken, and how taken events are grouped into requests.
 *
 * An endpoint may have this many requests in flight, of those begun by a look. An endpoint that answers frees its
 * places at once; hanging endpoints leave some to others, because each one's share shrinks with the free places.
 *
 * Source: Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998.
 */
import type { Bounds, TakenEvent } from "@watchword/store/Store"
import * as Arr from "effect/Array"
import { CONCURRENCY, type Throughput } from "./Throughput.ts"

/** How many requests to all endpoints are under way at once from one process. */
export const MOST = 256

/** Changes of an endpoint's records that one attempt is made at. A change is one event, or two. */
export interface Request {
  readonly rows: Arr.NonEmptyReadonlyArray<TakenEvent>
  /** The most events of a list; null if each event is sent separately. */
  readonly batch: number | null
}

/** The requests of a place, one after the other: a single one, or smaller batches of events that were tried before. */
export type Place = Arr.NonEmptyReadonlyArray<Request>

interface UnderWay {
  readonly events: number
  readonly places: number
}

const NOTHING: UnderWay = { events: 0, places: 0 }

const shareOf = (concurrency: number, free: number): number => Math.ceil((concurrency * free) / MOST)

export const make = () => {
  const underWay = new Map<string, UnderWay>()
  const of = (endpoint: string): UnderWay => underWay.get(endpoint) ?? NOTHING

  let throughputs: ReadonlyMap<string, Throughput> = new Map()
  let freePlaces = 0
  let perEndpoint = 0
  let isLooking = false

  /** How many places an endpoint may be given by this look. */
  const freeOf = (endpoint: string): number =>
    Math.max(0, shareOf(throughputs.get(endpoint)?.concurrency ?? CONCURRENCY, freePlaces) - of(endpoint).places)

  /** The events of an endpoint that may be under leases, where it has a throughput of its own. */
  const boundOf = (endpoint: string, { batch, concurrency = CONCURRENCY }: Throughput): number => {
    if (batch === undefined) return shareOf(concurrency, freePlaces)
    // Leases count events, and not requests: other processes' events look the same.
    const free = freeOf(endpoint)
    return free === 0 ? 0 : of(endpoint).events + free * batch
  }

  /** The events of each endpoint that a look with this many free places may take. */
  const look = (
    free: number,
    own: ReadonlyMap<string, Throughput>
  ): { readonly perEndpoint: number; readonly bounds: Bounds } => {
    isLooking = true
    throughputs = own
    freePlaces = free
    perEndpoint = shareOf(CONCURRENCY, free)
    return { perEndpoint, bounds: new Map([...own].map(([id, throughput]) => [id, boundOf(id, throughput)])) }
  }

  const placesOf = (endpoint: string, rows: Arr.NonEmptyReadonlyArray<TakenEvent>): ReadonlyArray<Place> => {
    const batch = throughputs.get(endpoint)?.batch
    if (batch === undefined) return rows.map((row): Place => [{ rows: [row], batch: null }])
    const requests = batches(rows, batch)
    const free = Math.max(1, freeOf(endpoint))
    return Object.values(
      Arr.groupBy(
        requests.map((request, n) => ({ request, n })),
        ({ n }) => String(n % free)
      )
    ).map(Arr.map(({ request }) => request))
  }

  /** The places of events that a look has taken, which are under way from then on. */
  const begin = (rows: ReadonlyArray<TakenEvent>): ReadonlyArray<Place> => {
    isLooking = false
    const places = Object.entries(Arr.groupBy(rows, ({ endpoint }) => endpoint)).flatMap(([endpoint, rows]) =>
      placesOf(endpoint, rows)
    )
    for (const place of places) {
      const { events, places } = of(endpointOf(place))
      underWay.set(endpointOf(place), { events: events + eventsIn(place), places: places + 1 })
    }
    return places
  }

  /**
   * Frees a place. Answers whether others may wait for it: the endpoint had all of its places, or has nothing under way
   * here any more, while other processes may have had the rest of them.
   */
  const end = (place: Place): boolean => {
    const endpoint = endpointOf(place)
    const { events, places } = of(endpoint)
    if (places > 1) underWay.set(endpoint, { events: events - eventsIn(place), places: places - 1 })
    else underWay.delete(endpoint)
    // An event that ends during a look may have kept its place from others until then.
    return isLooking || throughputs.has(endpoint) || places <= 1 || places >= perEndpoint
  }

  return { look, begin, end }
}

/**
 * Batches of events, half as large with each time that they were tried: an event that its endpoint cannot accept is by
 * itself at the last attempt, after the others were accepted.
 */
const batches = (rows: Arr.NonEmptyReadonlyArray<TakenEvent>, batch: number): ReadonlyArray<Request> =>
  Object.entries(Arr.groupBy(rows, ({ attempts }) => String(attempts))).flatMap(([attempts, rows]) => {
    const most = Math.ceil(batch / 2 ** (Number(attempts) - 1))
    return Arr.chunksOf(rows, most).map((rows): Request => ({ rows, batch: most }))
  })

const endpointOf = ([{ rows }]: Place): string => rows[0].endpoint

const eventsIn = (place: Place): number => place.reduce((sum, { rows }) => sum + rows.length, 0)
