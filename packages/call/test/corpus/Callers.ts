/**
 * The caller and the number called as trunks and clients write them in an INVITE, and the caller that a verification
 * reads there. Numbers are exchanged for fictional numbers of the same form.
 */

export interface Row {
  /** Who sends it. */
  readonly from: string
  /** Where that is known from. */
  readonly source: string
  /** The user and parameters of the Request-URI. */
  readonly uri: string
  /** The value of To; the Request-URI unless given. */
  readonly to?: string
  /** The header lines about the caller. */
  readonly headers: ReadonlyArray<string>
  /** The number of ours that is called. */
  readonly ours: string
  /** Options of the trunk's URL. */
  readonly options?: string
  /** The caller; null if it hides, or is not a number. */
  readonly caller: string | null
  readonly assurance?: "network"
}

const berlin = "+493023125000"
const york = "+12025550100"
const istanbul = "+908501234567"

export const rows: ReadonlyArray<Row> = [
  {
    from: "Deutsche Telekom over TLS, a caller of another network",
    source: "haumacher/phoneblock#35",
    uri: "sip:+493023125000@192.0.2.10:53505;uniq=A591F883F8F54013C560272D96A28;user=phone;transport=tls",
    to: "<sip:+493023125000@192.0.2.120:5060;user=phone>",
    headers: ["From: <sip:+4915123456789@ims.example.net;user=phone>;tag=p65546t1738139528m391620c90688s1"],
    ours: berlin,
    caller: "+4915123456789"
  },
  {
    from: "a Metaswitch, which sends to the account that is registered",
    source: "irontec/ivozprovider#2558",
    uri: "sip:1710163127241@192.0.2.10:7060;transport=udp",
    to: "<sip:+493023125000@pbx.example.com>",
    headers: [
      "From:  <sip:+33612345678@pbx.example.com>;tag=1",
      "P-Asserted-Identity:  <sip:+33612345678@pbx.example.com>"
    ],
    ours: berlin,
    caller: "+33612345678"
  },
  {
    from: "Twilio: with the plus",
    source: "livekit/protocol#737",
    uri: "sip:+12025550100@192.0.2.10",
    headers: ["From: <sip:+12125550123@pstn.example.com>;tag=1"],
    ours: york,
    caller: "+12125550123"
  },
  {
    from: "Telnyx: without the plus unless it is asked for",
    source: "livekit/protocol#737",
    uri: "sip:12025550100@192.0.2.10",
    headers: ['From: "12125550123" <sip:12125550123@sip.example.com>;tag=1'],
    ours: york,
    caller: "+12125550123"
  },
  {
    from: "a trunk in Quebec",
    source: "LubosD/twinkle#280",
    uri: "sip:2025550100@192.0.2.10",
    headers: ['From: "18195551212" <sip:18195551212@192.0.2.34>;tag=m5UjyQ6ZayaaH'],
    ours: york,
    caller: "+18195551212"
  },
  {
    from: "a trunk in Turkey: the callee without its prefix 0",
    source: "livekit/sip#484",
    uri: "sip:8501234567@192.0.2.99",
    headers: ["From: <sip:+905541112233@192.0.2.99>;tag=1"],
    ours: istanbul,
    caller: "+905541112233"
  },
  {
    from: "the same, if it writes callers like that, too",
    source: "livekit/sip#484",
    uri: "sip:8501234567@192.0.2.99",
    headers: ["From: <sip:5541112233@192.0.2.99>;tag=1"],
    ours: istanbul,
    options: "plus=national;national=90",
    caller: "+905541112233"
  },
  {
    from: "Nextcloud's trunk: E.164 without the plus",
    source: "nextcloud/spreed#18567",
    uri: "sip:493023125000@192.0.2.10",
    headers: ["From: <sip:4915123456789@192.0.2.1>;tag=1"],
    ours: berlin,
    caller: "+4915123456789"
  },
  {
    from: "an Italian trunk: the callee as it is dialled, whose 0 is part of it",
    source: "jambonz/retell-sip-integration-example#13",
    uri: "sip:0809995106@192.0.2.10",
    headers: ["From: <sip:3912345678@192.0.2.1>;tag=1"],
    ours: "+390809995106",
    caller: "+393912345678"
  },
  {
    from: "sipgate, a call from abroad whose number is unknown",
    source: "sipgate/sipgate.io#112",
    uri: "sip:493023125000@sipgate.example",
    headers: ["From: <sip:00000@sipgate.example>;tag=1"],
    ours: berlin,
    caller: null
  },
  {
    from: "Wazo, an anonymous caller, by a trunk that asserts",
    source: "wazo-platform/wazo-platform.org#703",
    uri: "sip:+493023125000@192.0.2.10",
    headers: [
      'From: "Anonymous" <sip:anonymous@anonymous.invalid>;tag=1',
      "Privacy: id",
      "P-Asserted-Identity: <tel:+4915123456789>"
    ],
    ours: berlin,
    options: "trusted=yes",
    caller: "+4915123456789",
    assurance: "network"
  },
  {
    from: "a client that is anonymous and asserts nothing",
    source: "baresip/baresip#184",
    uri: "sip:+493023125000@192.0.2.10",
    headers: [
      'From: "Anonymous" <sip:anonymous@anonymous.invalid>;tag=dxwfd',
      "Privacy: id",
      'P-Preferred-Identity: "Juha" <sip:jh@test.example.com>'
    ],
    ours: berlin,
    caller: null
  },
  {
    from: "Cisco: two values, of which the second is a number",
    source: "RFC 3325 §10.2",
    uri: "sip:+12025550100@proxy.example.com",
    headers: [
      'From: "Anonymous" <sip:anonymous@anonymous.invalid>;tag=9802748',
      'P-Asserted-Identity: "Cullen Jennings" <sip:fluffy@example.com>',
      "P-Asserted-Identity: tel:+14085264000"
    ],
    ours: york,
    options: "trusted=yes",
    caller: "+14085264000",
    assurance: "network"
  },
  {
    from: "a PBX that asserts its extension",
    source: "BelledonneCommunications/linphone-iphone#787",
    uri: "sip:+493023125000@192.0.2.10",
    headers: [
      "From: <sip:+4915123456789@192.0.2.1>;tag=1",
      'P-Asserted-Identity: "DECT 11" <sip:11@192.0.2.1;user=phone>'
    ],
    ours: berlin,
    options: "trusted=yes",
    caller: "+4915123456789"
  },
  {
    from: "FreeSWITCH: Remote-Party-ID",
    source: "onsip/SIP.js#845; mod_sofia, caller-id-type rpid",
    uri: "sip:+493023125000@192.0.2.10",
    headers: [
      'From: "Anonymous" <sip:anonymous@anonymous.invalid>;tag=1',
      'Remote-Party-ID: "x" <sip:+4915123456789@192.0.2.1>;party=calling;screen=yes;privacy=full'
    ],
    ours: berlin,
    caller: "+4915123456789"
  },
  {
    from: "Net::SIP: From without brackets",
    source: "Net::SIP 0.835, run",
    uri: "sip:493023125000@127.0.0.1:5060",
    headers: ["From: sip:4915123456789@127.0.0.1;tag=85d2b04084c5febd"],
    ours: berlin,
    caller: "+4915123456789"
  },
  {
    from: "a number with visual separators",
    source: "RFC 3966 §5.1.1, §6",
    uri: "tel:+49-30-23125-000",
    headers: ["From: <tel:+49-(151)-2345.6789;isub=1411>;tag=1"],
    ours: berlin,
    caller: "+4915123456789"
  },
  {
    from: "a local number with its context",
    source: "RFC 3966 §5.1.5",
    uri: "tel:23125000;phone-context=+4930",
    headers: ["From: <tel:5550123;phone-context=+1-212>;tag=1"],
    ours: berlin,
    caller: "+12125550123"
  }
]
