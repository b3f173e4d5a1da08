/**
 * The addresses that datagrams are taken from: the trunks' addresses, the networks in the settings, and the other hops
 * to which requests were sent.
 * Datagrams of all other addresses are dropped before they are parsed, since anyone can send them, from any address.
 */
import { type Networks, contains } from "@watchword/auth/Networks"
import type { Timers } from "../Timers.ts"
import { isIPv6, SocketAddress } from "node:net"

interface Peer {
  /** How many trunks and calls use the address. */
  users: number
  /** The time until which it is known after its last user. */
  until: number
}

export class Peers {
  private readonly timers: Timers
  private readonly linger: number
  private readonly peers = new Map<string, Peer>()

  private readonly networks: ReadonlyArray<Networks>

  /**
   * @param linger how many milliseconds an address is known after its last use: messages may be retransmitted
   * @param networks whose addresses are always known
   */
  constructor(timers: Timers, linger: number, networks: ReadonlyArray<Networks> = []) {
    this.networks = networks
    this.timers = timers
    this.linger = linger
  }

  /** Takes datagrams from an address until it is released as often. */
  add(address: string): void {
    const key = canonical(address)
    const known = this.peers.get(key)
    if (known !== undefined) {
      known.users++
      return
    }
    this.deleteExpired()
    this.peers.set(key, { users: 1, until: 0 })
  }

  release(address: string): void {
    const peer = this.peers.get(canonical(address))
    if (peer === undefined) return
    peer.users--
    peer.until = this.timers.now() + this.linger
  }

  /** @param address as the system writes it */
  has(address: string): boolean {
    const peer = this.peers.get(address)
    return (peer !== undefined && this.isKnown(peer)) || this.networks.some((each) => contains(each, address))
  }

  private isKnown({ until, users }: Peer): boolean {
    return users > 0 || until > this.timers.now()
  }

  private deleteExpired(): void {
    for (const [address, peer] of this.peers) if (!this.isKnown(peer)) this.peers.delete(address)
  }
}

/** An address as the system writes it: IPv6 has several spellings. */
export const canonical = (address: string): string =>
  isIPv6(address) ? new SocketAddress({ address, family: "ipv6" }).address : address
