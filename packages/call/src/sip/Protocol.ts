/** What carries SIP. Source: RFC 3261 §18. */
export type Protocol = "udp" | "tcp" | "tls"
