/**
 * Ids in their order, for walks from one to another that look at no more than they pass. Ids of new records are the
 * newest nearly always, so that they are added at the end.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"

/** @param isThere whether an id has not been removed */
export const make = (isThere: (id: DeliveryId) => boolean) => {
  let ids: Array<DeliveryId> = []

  /** The place of the first id that is not less than a text. */
  const placeOf = (text: string): number => {
    let low = 0
    let high = ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ids[middle] ?? "") < text) low = middle + 1
      else high = middle
    }
    return low
  }

  const add = (id: DeliveryId): void => {
    const place = placeOf(id)
    // A removed id still has its slot.
    if (ids[place] !== id) ids.splice(place, 0, id)
  }

  /** Gives up the places of ids that were removed, once they are the most. @param count how many ids there are */
  const tidy = (count: number): void => {
    if (ids.length > 2 * count) ids = ids.filter(isThere)
  }

  /** The ids from one text on that are less than another: the first so many. */
  const first = (from: string, until: string, limit: number): ReadonlyArray<DeliveryId> => {
    const found: Array<DeliveryId> = []
    const end = placeOf(until)
    for (let place = placeOf(from); place < end && found.length < limit; place++) take(place, found)
    return found
  }

  /** The same from the other end: the last so many, the newest first. */
  const last = (from: string, until: string, limit: number): ReadonlyArray<DeliveryId> => {
    const found: Array<DeliveryId> = []
    const begin = placeOf(from)
    for (let place = placeOf(until) - 1; place >= begin && found.length < limit; place--) take(place, found)
    return found
  }

  const take = (place: number, found: Array<DeliveryId>): void => {
    const id = ids[place]
    if (id !== undefined && isThere(id)) found.push(id)
  }

  return { add, tidy, first, last }
}
