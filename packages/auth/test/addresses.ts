/**
 * Addresses and ranges as the tests compute them: as numbers, without the library that the package uses.
 */
import * as fc from "fast-check"

/** An address as its version's number of bits. */
export interface Numeric {
  readonly length: 32 | 128
  readonly bits: bigint
}

const ofLength = (length: 32 | 128): fc.Arbitrary<Numeric> =>
  fc.bigInt({ min: 0n, max: 2n ** BigInt(length) - 1n }).map((bits) => ({ length, bits }))

const isMapped = ({ bits, length }: Numeric): boolean => length === 128 && bits >> 32n === 0xffffn

/** Addresses of both versions, IPv4-mapped ones left out. */
export const addresses: fc.Arbitrary<Numeric> = fc.oneof(
  ofLength(32),
  ofLength(128).filter((address) => !isMapped(address))
)

/** An address that shares a random number of leading bits with a given one, and is not IPv4-mapped either. */
export const near = (address: Numeric): fc.Arbitrary<Numeric> =>
  fc
    .tuple(fc.bigInt({ min: 0n, max: 2n ** BigInt(address.length) - 1n }), fc.nat(address.length))
    .map(([other, bits]) => {
      const below = BigInt(address.length - bits)
      return { length: address.length, bits: ((address.bits >> below) << below) | (other & ((1n << below) - 1n)) }
    })
    .filter((found) => !isMapped(found))

export const isInside = (address: Numeric, network: Numeric, prefix: number): boolean => {
  const below = BigInt(network.length - prefix)
  return address.length === network.length && address.bits >> below === network.bits >> below
}

const dotted = (bits: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join(".")

const groups = (bits: bigint): ReadonlyArray<string> =>
  Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16))

/** Ways to write one address. */
export const spellings = ({ bits, length }: Numeric): ReadonlyArray<string> => {
  if (length === 32) return [dotted(bits), `::ffff:${dotted(bits)}`, `::FFFF:${dotted(bits)}`, mappedInHex(bits)]
  const hex = groups(bits)
  return [
    hex.join(":"),
    hex.map((group) => group.padStart(4, "0").toUpperCase()).join(":"),
    hex.join(":").replace(/(?:^|:)0(?::0)+(?::|$)/, "::")
  ]
}

const mappedInHex = (bits: bigint): string => `::ffff:${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`
