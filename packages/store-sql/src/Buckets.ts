/** Records are counted by the eight hours that they are listed under. */
export const WIDTH = 8 * 60 * 60 * 1000

export const bucketOf = (at: number): number => Math.floor(at / WIDTH)

/** The first and the last millisecond of a bucket. */
export const firstOf = (bucket: number): number => bucket * WIDTH
export const lastOf = (bucket: number): number => firstOf(bucket + 1) - 1
