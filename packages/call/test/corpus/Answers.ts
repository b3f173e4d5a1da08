/**
 * What trunks and networks answer to an INVITE, and what becomes of the call.
 *
 * Of each row: the client's answer, the record's cause, whether the call is charged, whether it counts as a send of a
 * verification, how long the caller id rests, and the unknown words that are noted.
 */
import type { ErrorCode } from "@watchword/schemas/Errors"

/** A status line and header lines; a provisional or final answer without anything special is only its status. */
export interface Answer {
  readonly status: number
  readonly phrase?: string
  readonly headers?: ReadonlyArray<string>
}

export interface Row {
  /** Who sends it. */
  readonly from: string
  /** Where that is known from. */
  readonly source: string
  /** Answers in order; what follows 401 and 407 is for the INVITE that comes next. */
  readonly says: ReadonlyArray<number | Answer>
  /** Answers to a call before this one. */
  readonly before?: ReadonlyArray<number | Answer>
  /** Options of the trunk's URL. */
  readonly options?: string
  /** The client's answer. */
  readonly answer: "rings" | ErrorCode
  readonly reason?: string
  /** The record's `hangup_cause`. */
  readonly cause: string
  readonly q850?: number
  /** Whether a call that failed counts as a send of a verification, because the phone may have shown it. */
  readonly counts?: boolean
  /** Whether the network's block counts against the caller id, which rests for an hour after three callees. */
  readonly blocks?: boolean
  /** Whether another trunk is asked. */
  readonly next?: boolean
  /** The unknown words that are noted: kind and word. */
  readonly noted?: ReadonlyArray<string>
  /** The second INVITE's answer to a challenge. */
  readonly credentials?: RegExp
}

const line = (status: number, phrase: string, ...headers: ReadonlyArray<string>): Answer => ({
  status,
  phrase,
  headers
})

const reason = (status: number, value: string): Answer => ({ status, headers: [`Reason: ${value}`] })

const rfc = (number: number, section: string): string => `RFC ${number} §${section}`

/** When a phone rings. */
const ringing: ReadonlyArray<Row> = [
  { from: "RFC 3261", source: rfc(3261, "21.1.2"), says: [180], answer: "rings", cause: "NO_ANSWER" },
  {
    from: "a phone that answers at once",
    source: rfc(3261, "13.3.1.4"),
    says: [100, { status: 200, headers: ["Contact: <sip:callee@192.0.2.44>"] }],
    answer: "rings",
    cause: "NORMAL_CLEARING"
  },
  {
    from: "mobile networks: 183 with SDP long before the phone is alerted",
    source: "signalwire/freeswitch#2596; RFC 3960 §3.2",
    says: [100, { status: 183, headers: ["Content-Type: application/sdp"] }, 180],
    answer: "rings",
    cause: "NO_ANSWER"
  },
  {
    from: "a network that announces that the number is not in use",
    source: "signalwire/freeswitch#2490",
    says: [100, 183, 404],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "UNALLOCATED_NUMBER"
  },
  {
    from: "Asterisk behind a trunk that asks for credentials",
    source: "InnovateAsterisk/Browser-Phone#109",
    says: [
      line(401, "Unauthorized", 'WWW-Authenticate: Digest algorithm=MD5, realm="asterisk", nonce="5ad8"'),
      100,
      183,
      183,
      486
    ],
    answer: "BUSY_HERE",
    cause: "USER_BUSY",
    credentials: /realm="asterisk"/
  },
  {
    from: "180 with SDP, for a ring tone of its own",
    source: "meetecho/janus-gateway#2849",
    says: [{ status: 180, headers: ["Content-Type: application/sdp"] }],
    answer: "rings",
    cause: "NO_ANSWER"
  },
  {
    from: "a trunk that never sends 180, without its option",
    source: "team-telnyx/freeswitch#93",
    says: [100, 183],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "PROGRESS_TIMEOUT",
    counts: true,
    noted: ["sip_progress 183 without 180"]
  },
  {
    from: "a trunk that never sends 180, with ;ringing=183",
    source: "team-telnyx/freeswitch#93",
    says: [100, 183],
    options: "ringing=183",
    answer: "rings",
    cause: "NO_ANSWER"
  },
  {
    from: "the same trunk, whose phone sends 180 after all",
    source: "sipsorcery-org/sipsorcery#189",
    says: [183, 180],
    options: "ringing=183",
    answer: "rings",
    cause: "NO_ANSWER"
  },
  {
    from: "the same trunk, and the callee declines",
    source: rfc(3261, "21.6.2"),
    says: [183, 603],
    options: "ringing=183",
    answer: "rings",
    cause: "CALL_REJECTED"
  },
  {
    from: "a call that is forwarded before it fails, with ;ringing=183",
    source: rfc(3261, "21.1.3"),
    says: [181, 480],
    options: "ringing=183",
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE"
  },
  {
    from: "a call that is forwarded before it fails",
    source: rfc(3261, "21.1.3"),
    says: [100, 181, 480],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE"
  },
  {
    from: "a call that waits in a queue before it fails",
    source: rfc(3261, "21.1.4"),
    says: [100, 182, 486],
    answer: "BUSY_HERE",
    cause: "USER_BUSY"
  },
  {
    from: "a call that is forwarded, and rings there",
    source: rfc(3261, "21.1.3"),
    says: [100, 181, 180],
    answer: "rings",
    cause: "NO_ANSWER"
  },
  {
    from: "a proxy that ends one of several branches",
    source: rfc(6228, "4"),
    says: [100, reason(199, "SIP;cause=503"), 486],
    answer: "BUSY_HERE",
    cause: "USER_BUSY"
  },
  {
    from: "FreeSWITCH with a Reason in 183",
    source: "signalwire/freeswitch#1571",
    says: [reason(183, 'SIP;cause=486;text="user busy",Q.850;cause=17'), 486],
    answer: "BUSY_HERE",
    cause: "USER_BUSY"
  },
  {
    from: "an IMS that sends neither 180 nor 183",
    source: "signalwire/freeswitch#1725",
    says: [100, 200],
    answer: "rings",
    cause: "NORMAL_CLEARING"
  },
  {
    from: "a gateway that sends 180 before it has asked the network",
    source: "DoubangoTelecom/webrtc2sip#75",
    says: [180, 404],
    answer: "rings",
    cause: "UNALLOCATED_NUMBER"
  },
  {
    from: "a provisional status that is in no standard",
    source: rfc(3261, "8.1.3.2"),
    says: [100, line(185, "Looking"), 486],
    answer: "BUSY_HERE",
    cause: "USER_BUSY",
    noted: ["sip_status 185"]
  },
  {
    from: "a network that says 100 and nothing more",
    source: rfc(3261, "21.1.1"),
    says: [100],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "PROGRESS_TIMEOUT",
    counts: true
  },
  {
    from: "Kamailio's tm module",
    source: "Kamailio 5.6, tm_reply of the Debian package (packages/call/test-peers/kamailio.test.ts)",
    says: [line(100, "trying -- your call is important to us"), 180],
    answer: "rings",
    cause: "NO_ANSWER"
  },
  {
    from: "a trunk in trouble after an announcement",
    source: "signalwire/freeswitch#2490; RFC 3261 §21.5.4",
    says: [100, 183, 503],
    answer: "SERVICE_UNAVAILABLE",
    cause: "NORMAL_TEMPORARY_FAILURE",
    next: true
  },
  {
    from: "a callee who declines at once: a 180 may have been lost",
    source: rfc(3261, "17.2.1"),
    says: [100, 603],
    answer: "DECLINE",
    cause: "CALL_REJECTED",
    counts: true
  }
]

/** Final statuses by their meaning. */
const finals: ReadonlyArray<Row> = [
  ...(
    [
      [300, "21.3.1", "TEMPORARY_UNAVAILABLE", "REDIRECTION_TO_NEW_DESTINATION"],
      [404, "21.4.5", "TEMPORARY_UNAVAILABLE", "UNALLOCATED_NUMBER"],
      [405, "21.4.6", "SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"],
      [406, "21.4.7", "SERVICE_UNAVAILABLE", "SERVICE_NOT_IMPLEMENTED"],
      [408, "21.4.9", "TEMPORARY_UNAVAILABLE", "RECOVERY_ON_TIMER_EXPIRE"],
      [410, "21.4.10", "TEMPORARY_UNAVAILABLE", "NUMBER_CHANGED"],
      [413, "21.4.11", "SERVICE_UNAVAILABLE", "INTERWORKING"],
      [414, "21.4.12", "SERVICE_UNAVAILABLE", "INTERWORKING"],
      [415, "21.4.13", "SERVICE_UNAVAILABLE", "SERVICE_NOT_IMPLEMENTED"],
      [416, "21.4.14", "SERVICE_UNAVAILABLE", "INTERWORKING"],
      [420, "21.4.15", "SERVICE_UNAVAILABLE", "INTERWORKING"],
      [421, "21.4.16", "SERVICE_UNAVAILABLE", "INTERWORKING"],
      [423, "21.4.17", "SERVICE_UNAVAILABLE", "INTERWORKING"],
      [480, "21.4.18", "TEMPORARY_UNAVAILABLE", "NO_USER_RESPONSE"],
      [481, "21.4.19", "SERVICE_UNAVAILABLE", "NORMAL_TEMPORARY_FAILURE"],
      [482, "21.4.20", "SERVICE_UNAVAILABLE", "EXCHANGE_ROUTING_ERROR"],
      [483, "21.4.21", "SERVICE_UNAVAILABLE", "EXCHANGE_ROUTING_ERROR"],
      [484, "21.4.22", "BAD_REQUEST", "INVALID_NUMBER_FORMAT"],
      [485, "21.4.23", "TEMPORARY_UNAVAILABLE", "NO_ROUTE_DESTINATION"],
      [486, "21.4.24", "BUSY_HERE", "USER_BUSY"],
      [487, "21.4.25", "TEMPORARY_UNAVAILABLE", "ORIGINATOR_CANCEL"],
      [488, "21.4.26", "SERVICE_UNAVAILABLE", "INCOMPATIBLE_DESTINATION"],
      [501, "21.5.2", "SERVICE_UNAVAILABLE", "SERVICE_NOT_IMPLEMENTED"],
      [504, "21.5.5", "TEMPORARY_UNAVAILABLE", "RECOVERY_ON_TIMER_EXPIRE"],
      [505, "21.5.6", "SERVICE_UNAVAILABLE", "INTERWORKING"],
      [513, "21.5.7", "SERVICE_UNAVAILABLE", "INTERWORKING"],
      [600, "21.6.1", "BUSY_HERE", "USER_BUSY"],
      [604, "21.6.3", "TEMPORARY_UNAVAILABLE", "NO_ROUTE_DESTINATION"],
      [606, "21.6.4", "SERVICE_UNAVAILABLE", "INCOMPATIBLE_DESTINATION"]
    ] as const
  ).map(([status, section, answer, cause]): Row => ({
    from: `RFC 3261: ${status}`,
    source: rfc(3261, section),
    says: [100, status],
    answer,
    cause
  })),
  ...([500, 502] as const).map((status): Row => ({
    from: `RFC 3261: ${status}`,
    source: rfc(3261, status === 500 ? "21.5.1" : "21.5.3"),
    says: [status],
    answer: "SERVICE_UNAVAILABLE",
    cause: status === 500 ? "NORMAL_TEMPORARY_FAILURE" : "NETWORK_OUT_OF_ORDER",
    next: true
  })),
  {
    from: "a trunk whose own way to the network times out",
    source: rfc(3261, "21.4.9"),
    says: [408],
    answer: "SERVICE_UNAVAILABLE",
    cause: "RECOVERY_ON_TIMER_EXPIRE",
    next: true
  },
  {
    from: "a callee who wants no such calls",
    source: rfc(8197, "4"),
    says: [100, 607],
    answer: "DECLINE",
    cause: "CALL_REJECTED",
    counts: true
  },
  {
    from: "a status of 5xx that is not known",
    source: "RFC 3261 §8.1.3.2; RFC 3312 §8 (580)",
    says: [580],
    answer: "SERVICE_UNAVAILABLE",
    cause: "NORMAL_UNSPECIFIED",
    next: true,
    noted: ["sip_status 580"]
  },
  {
    from: "a status of 6xx that is not known",
    source: rfc(3261, "8.1.3.2"),
    says: [100, 699],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NORMAL_UNSPECIFIED",
    noted: ["sip_status 699"]
  },
  {
    from: "Kamailio, where its next hop does not take the INVITE",
    source: "Kamailio, core/error.c (E_SEND): 477/TM, 477/SL",
    says: [line(477, "Unfortunately error on sending to next hop occurred (477/TM)")],
    answer: "SERVICE_UNAVAILABLE",
    cause: "NORMAL_UNSPECIFIED",
    noted: ["sip_status 477"]
  },
  {
    from: "Kamailio, where its next hop has no address",
    source: "kamailio/kamailio#2646; herlesupreeth/Kamailio_IMS_Config#14",
    says: [line(478, "Unresolvable destination (478/SL)")],
    answer: "SERVICE_UNAVAILABLE",
    cause: "NORMAL_UNSPECIFIED",
    noted: ["sip_status 478"]
  },
  {
    from: "Twinkle: not answered in time",
    source: "LubosD/twinkle#231",
    says: [100, 180, 480],
    answer: "rings",
    cause: "NO_USER_RESPONSE"
  },
  {
    from: "a callee of IvozProvider: no other trunk is asked for 480",
    source: "irontec/ivozprovider#672",
    says: [480],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE"
  },
  {
    from: "baresip without an audio device, after it has rung",
    source: "baresip/baresip#365",
    says: [180, 486],
    answer: "rings",
    cause: "USER_BUSY"
  },
  {
    from: "Kamailio with sip_warning=1",
    source: 'Kamailio core cookbook, "sip_warning (noisy feedback)"',
    says: [line(404, "Not Found", 'Warning: 392 192.0.2.7:5060 "Noisy feedback tells: pid=2222 req_src_ip=192.0.2.9"')],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "UNALLOCATED_NUMBER",
    noted: ["sip_warning 392"]
  },
  {
    from: "pjproject, which refuses an offer with a Warning",
    source: "pjsip/pjproject#3475; RFC 3261 §20.43",
    says: [line(488, "Not Acceptable Here", 'Warning: 304 pbx "Media type not available"')],
    answer: "SERVICE_UNAVAILABLE",
    cause: "INCOMPATIBLE_DESTINATION",
    noted: ["sip_warning 304"]
  },
  {
    from: "302 to a number at our cost, which is not followed",
    source: "onsip/SIP.js#1005; baresip/baresip#2597",
    says: [line(302, "Moved Temporarily", "Contact: <sip:+882999@192.0.2.9>")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "REDIRECTION_TO_NEW_DESTINATION"
  },
  {
    from: "Commio without funds",
    source: 'Commio support, "Commio Advance Codes", read 2026-11-28',
    says: [line(503, "Funds Required")],
    answer: "SERVICE_UNAVAILABLE",
    cause: "NORMAL_TEMPORARY_FAILURE",
    next: true
  },
  {
    from: "a trunk that asks for a rest",
    source: rfc(3261, "21.5.4"),
    says: [line(503, "Service Unavailable", "Retry-After: 5")],
    answer: "SERVICE_UNAVAILABLE",
    cause: "NORMAL_TEMPORARY_FAILURE",
    next: true
  },
  {
    from: "a callee who says when to try again",
    source: rfc(3261, "20.33"),
    says: [100, line(480, "Temporarily Unavailable", "Retry-After: 18000;duration=3600")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE"
  },
  {
    from: "Vonage: a handset that is off",
    source: 'Vonage API support, "What does xxx SIP call status mean?", read 2026-11-28',
    says: [100, line(480, "Temporarily Unavailable")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE"
  }
]

/** Causes of ISDN. */
const causes: ReadonlyArray<Row> = [
  {
    from: "FreeSWITCH: the phone rang, and 180 was lost or never sent",
    source: "ITU-T Q.850 §2.2.7.1 (19); FreeSWITCH 1.10, mod_sofia hangup_cause_to_sip",
    says: [100, 183, reason(480, 'Q.850;cause=19;text="NO_ANSWER"')],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE",
    q850: 19,
    counts: true
  },
  {
    from: "FreeSWITCH: a phone that is not registered",
    source: "FreeSWITCH, mod_sofia.c sofia_on_hangup: the Reason of causes that are not of Q.850, 2 to 127",
    says: [100, reason(480, 'FreeSWITCH;cause=606;text="USER_NOT_REGISTERED"')],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE"
  },
  {
    from: "FreeSWITCH: no resource",
    source: "signalwire/freeswitch#732",
    says: [100, reason(480, 'Q.850;cause=47;text="RESOURCE UNAVAILABLE, UNSPECIFIED"')],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE",
    q850: 47
  },
  {
    from: "Cisco CUBE: the phone rang and was not answered",
    source: 'Cisco IOS XE 3.14S, CUBE configuration guide, "Cause Code Mapping": 19 is 503',
    says: [100, reason(503, "Q.850;cause=19")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_ANSWER",
    q850: 19,
    counts: true
  },
  {
    from: "Cisco CUBE: no circuit",
    source: 'Cisco IOS 15.6(1)T, CUBE configuration guide, "Cause Code Mapping"; RFC 3398 §7.2.4.1 (34)',
    says: [100, reason(503, "Q.850;cause=34")],
    answer: "SERVICE_UNAVAILABLE",
    cause: "NORMAL_TEMPORARY_FAILURE",
    q850: 34,
    next: true
  },
  {
    from: "Cisco CUBE: rejected",
    source: 'Cisco IOS XE 3.14S, CUBE configuration guide, "Cause Code Mapping": 21 is 403',
    says: [100, reason(403, "Q.850;cause=21")],
    answer: "SERVICE_UNAVAILABLE",
    cause: "CALL_REJECTED",
    q850: 21,
    next: true
  },
  {
    from: "Cisco CUBE: a timer of the network",
    source: 'Cisco IOS XE 3.14S, CUBE configuration guide, "Cause Code Mapping": 102 is 504',
    says: [100, reason(504, "Q.850;cause=102")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "RECOVERY_ON_TIMER_EXPIRE",
    q850: 102
  },
  {
    from: "Sangoma IMG: a number that is not in use",
    source: 'Sangoma IMG 2020, "SIP Reason Header", case 1, read 2026-11-28',
    says: [line(404, "Not Found Call processing released", "Reason: Q.850 ;cause=1")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "UNALLOCATED_NUMBER",
    q850: 1
  },
  ...(
    [
      [500, 1, "TEMPORARY_UNAVAILABLE", "UNALLOCATED_NUMBER"],
      [503, 17, "BUSY_HERE", "USER_BUSY"],
      [502, 18, "TEMPORARY_UNAVAILABLE", "NO_USER_RESPONSE"],
      [500, 20, "TEMPORARY_UNAVAILABLE", "SUBSCRIBER_ABSENT"],
      [503, 21, "DECLINE", "CALL_REJECTED"],
      [500, 22, "TEMPORARY_UNAVAILABLE", "NUMBER_CHANGED"]
    ] as const
  ).map(([status, q850, answer, cause]): Row => ({
    from: `a gateway from ISDN: cause ${q850} as ${status}`,
    source: `ITU-T Q.850 §2.2.7.1 (${q850})`,
    says: [reason(status, `Q.850;cause=${q850}`)],
    answer,
    cause,
    q850
  })),
  {
    from: "a gateway from ISDN: the callee rejects",
    source: 'RFC 3398 §7.2.4.1; FCC 25-15 (TransNexus, "SIP 603+ blocking notification", read 2026-11-28)',
    says: [100, reason(603, "Q.850;cause=21;location=U")],
    answer: "DECLINE",
    cause: "CALL_REJECTED",
    q850: 21,
    counts: true
  },
  {
    from: "a vendor's cause",
    source: 'ITU-T Q.850 table 1 ends at 127; Ribbon SBC Core, "Call Termination Reason Codes" continues',
    says: [100, reason(480, "Q.850;cause=138")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE",
    q850: 138,
    noted: ["sip_reason Q.850/138"]
  },
  {
    from: "Metaswitch (DC-SIP) and Nokia MSS: reasons of their own",
    source: "RFC 3326 §2; livekit's tests of ParseReasonHeader (X.int)",
    says: [100, reason(480, "X.int ;reasoncode=0x00000015;add-info=0135.0018.0000")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE",
    noted: ["sip_reason X.INT"]
  },
  {
    from: "Asterisk's chan_sip, whose cause has a header of its own",
    source: 'aa-asterisk.org.uk, "Cause Codes", read 2026-11-28',
    says: [100, line(480, "Temporarily unavailable", "X-Asterisk-HangupCauseCode: 19")],
    answer: "TEMPORARY_UNAVAILABLE",
    cause: "NO_USER_RESPONSE",
    q850: 19,
    counts: true
  }
]

const REASON = 'SIP;cause=603;text="v=analytics1;url=https://example.com/redress;id=8f2a"'

/** Networks that refuse the caller id. */
const blocks: ReadonlyArray<Row> = [
  ...(
    [
      ["603+ of ATIS-1000099", "ATIS-1000099, scope", [100, line(603, "Network Blocked", `Reason: ${REASON}`)]],
      ["603+ at once", "signalwire/freeswitch#3035", [line(603, "Network Blocked", `Reason: ${REASON}`)]],
      [
        "603+ whose phrase a gateway has replaced",
        'Sansay, "March 2026: Understanding the new 603+ standard", read 2026-11-28',
        [100, line(603, "Decline", `Reason: ${REASON}`)]
      ],
      [
        "603+ whose Reason a gateway has removed",
        "ATIS-1000099, scope; Sansay, the same page",
        [100, line(603, "Network Blocked")]
      ],
      [
        "603+ with the cause of ISDN and a location",
        'calleridreputation.com, "SIP 603+ Standard Call Blocking Notifications Approved", read 2026-11-28; RFC 8606',
        [100, line(603, "Decline", 'Reason: Q.850;cause=21;location=RLN;text="v=analytics1;tel=+15550100"')],
        21
      ],
      [
        "Telnyx with an ISDN cause as well",
        "team-telnyx/freeswitch#524, #530",
        [100, line(603, "Network Blocked", `Reason: ${REASON}`, 'Reason: Q.850;cause=17;text="USER_BUSY"')],
        17
      ],
      [
        "Telnyx D52, with the mark only in the text",
        "team-telnyx/freeswitch#530",
        [100, line(603, "Decline", 'Reason: SIP;cause=603;text="Network Blocked D52"')]
      ],
      ["608 of an intermediary", rfc(8688, "3"), [100, line(608, "Rejected")]],
      [
        "608 that a B2BUA has given another status",
        "RFC 3326 §2; team-telnyx/freeswitch#203",
        [100, reason(480, 'SIP;cause=608;text="Rejected"')]
      ],
      ["Twilio", "livekit/sip#737", [100, line(603, "Decline", "X-Twilio-Error: 32203 Blocked by carrier")]]
    ] as const
  ).map(([from, source, says, q850]): Row => ({
    from,
    source,
    says,
    ...(q850 === undefined ? {} : { q850 }),
    answer: "SERVICE_UNAVAILABLE",
    reason: "caller_blocked",
    cause: "REJECT_ALL",
    blocks: true
  })),
  {
    from: "603+ after 180, which the first network sent by itself",
    source: "ATIS-1000099, scope; DoubangoTelecom/webrtc2sip#75",
    says: [180, line(603, "Network Blocked", `Reason: ${REASON}`)],
    answer: "rings",
    cause: "REJECT_ALL"
  },
  {
    from: "FreeSWITCH with sip_603plus_passthrough=false: a plain 603",
    source: "signalwire/freeswitch#3035",
    says: [100, line(603, "Decline")],
    answer: "DECLINE",
    cause: "CALL_REJECTED",
    counts: true
  },
  {
    from: "Twilio: a client that declines",
    source: "twilio/voice-quickstart-android#314",
    says: [100, line(603, "Decline", "X-Twilio-CallSid: CA0")],
    answer: "DECLINE",
    cause: "CALL_REJECTED",
    counts: true
  },
  {
    from: "a Reason that names no analytics",
    source: "ATIS-1000099, scope: any other 603 is handled as before",
    says: [100, reason(603, 'SIP;cause=603;text="Declined by user"')],
    answer: "DECLINE",
    cause: "CALL_REJECTED",
    counts: true
  }
]

/** Trunks that refuse our account, our settings or the caller's form. */
const account: ReadonlyArray<Row> = [
  ...(
    [
      ["SIP.US: no balance", 'sip.us, "SIP Error Codes Explained", read 2026-11-28', line(403, "Forbidden")],
      ["DIDWW: no balance", 'DIDWW, "Call Logs Response Codes", read 2026-11-28', line(402, "Payment Required")],
      [
        "Telnyx: too many calls at once",
        'Telnyx, "SIP Response Codes" (D1), read 2026-11-28',
        line(403, "User channel limit exceeded D1")
      ],
      [
        "Telnyx: the form of the caller id",
        'Telnyx, "SIP Response Codes" (D35), read 2026-11-28',
        line(403, "Caller Origination Number is Invalid D35")
      ],
      ["sipgate: From must be the account", "livekit/sip#333", line(403, "Forbidden", "Server: sipgate")],
      [
        "Vonage: caller id not allowed",
        "Vonage API support, article 209591618",
        line(403, "Forbidden", "Server: nexmo")
      ],
      ["Bandwidth: refused by policy", "Bandwidth support, article 14727217", line(403, "Forbidden", "Server: bw")],
      ["a trunk that refuses a hidden caller", rfc(5079, "4"), line(433, "Anonymity Disallowed")]
    ] as const
  ).map(([from, source, says]): Row => ({
    from,
    source,
    says: [says],
    answer: "SERVICE_UNAVAILABLE",
    cause: "CALL_REJECTED",
    next: true
  })),
  {
    from: "PhoneIQ: 603 for an account without credit",
    source: 'PhoneIQ, "Understanding Post Call Messages", read 2026-11-28',
    says: [100, line(603, "outgoing call barred")],
    answer: "SERVICE_UNAVAILABLE",
    cause: "CALL_REJECTED",
    next: true
  },
  {
    from: "FreeSWITCH between two legs: a 403 of the other one is CALL_REJECTED, and keeps its status",
    source: "FreeSWITCH, mod_sofia.c sofia_on_hangup; sofia_glue.c sofia_glue_sip_cause_to_freeswitch",
    says: [reason(403, 'Q.850;cause=21;text="CALL_REJECTED"')],
    answer: "SERVICE_UNAVAILABLE",
    cause: "CALL_REJECTED",
    q850: 21,
    next: true
  },
  {
    from: "FreeSWITCH: outgoing calls are barred",
    source: "ITU-T Q.850 §2.2.7.3 (52, 53); FreeSWITCH 1.10",
    says: [100, reason(603, 'Q.850;cause=52;text="OUTGOING_CALL_BARRED"')],
    answer: "SERVICE_UNAVAILABLE",
    cause: "CALL_REJECTED",
    q850: 52,
    next: true
  },
  ...(
    [
      [428, "Use Identity Header", "NO_IDENTITY"],
      [436, "Bad Identity Info", "BAD_IDENTITY_INFO"],
      [437, "Unsupported Credential", "UNSUPPORTED_CERTIFICATE"],
      [438, "Invalid Identity Header", "INVALID_IDENTITY"]
    ] as const
  ).map(([status, phrase, cause]): Row => ({
    from: `a network that checks signatures: ${status}`,
    source: rfc(8224, "6.2.2"),
    says: [100, line(status, phrase)],
    answer: "SERVICE_UNAVAILABLE",
    cause,
    next: true
  })),
  {
    from: "a network that checks signatures, with the reason of STIR",
    source: rfc(9410, "3"),
    says: [100, reason(403, 'STIR;cause=403;text="Stale Date"')],
    answer: "SERVICE_UNAVAILABLE",
    cause: "CALL_REJECTED",
    next: true
  },
  {
    from: "401 without a challenge",
    source: "signalwire/freeswitch#1779",
    says: [line(401, "Unauthorized")],
    answer: "SERVICE_UNAVAILABLE",
    cause: "CALL_REJECTED",
    next: true
  }
]

const challenge = (value: string): string => `WWW-Authenticate: Digest ${value}`

/** Challenges that are answered. */
const digests: ReadonlyArray<Row> = (
  [
    [
      "SHA-512 before MD5, in two lines",
      "pjsip/pjproject#2408",
      [[challenge('realm="a", nonce="5", algorithm=SHA-512'), challenge('realm="a", nonce="6", algorithm=MD5')]],
      /nonce="6"/
    ],
    [
      "SHA-512 before MD5, in one line",
      "pjsip/pjproject#2408",
      [[challenge('realm="a", nonce="5", algorithm=SHA-512, Digest realm="a", nonce="7", algorithm=MD5')]],
      /nonce="7"/
    ],
    [
      "a choice of qop",
      "resiprocate/resiprocate#182",
      [[challenge('realm="a", nonce="1", qop="auth-int,auth"')]],
      /qop=auth[,\s]/
    ],
    ["no qop, and an empty opaque", "RFC 2617 §3.2.1", [[challenge('realm="a", nonce="1", opaque=""')]], /opaque=""/],
    [
      "MD5-sess",
      rfc(7616, "3.3"),
      [[challenge('realm="a", nonce="1", qop="auth", algorithm=MD5-sess')]],
      /algorithm=MD5-sess/
    ],
    ["a realm with a comma", rfc(3261, "22.1"), [[challenge('realm="a, b", nonce="1"')]], /realm="a, b"/]
  ] as const
).map(([from, source, rounds, credentials]): Row => ({
  from,
  source,
  says: [...rounds.map((headers) => line(401, "Unauthorized", ...headers)), 180],
  answer: "rings",
  cause: "NO_ANSWER",
  credentials
}))

/** Challenges after an earlier call has met one of them. */
const later: ReadonlyArray<Row> = [
  {
    from: "baresip: a nonce that has expired, without stale",
    source: "baresip/baresip#786",
    before: [line(401, "Unauthorized", challenge('realm="a", nonce="1"')), 180],
    says: [line(401, "Unauthorized", challenge('realm="a", nonce="2"')), 180],
    answer: "rings",
    cause: "NO_ANSWER",
    credentials: /nonce="2"/
  },
  {
    from: "a trunk that counts the requests of a nonce",
    source: "tayler6000/pyVoIP#86",
    before: [line(401, "Unauthorized", challenge('realm="a", nonce="1", qop="auth"')), 180],
    says: [180],
    answer: "rings",
    cause: "NO_ANSWER",
    credentials: /nc=00000002/
  },
  {
    from: "a proxy and a trunk that both ask",
    source: rfc(3261, "22.3"),
    says: [
      line(407, "Proxy Authentication Required", 'Proxy-Authenticate: Digest realm="proxy", nonce="1"'),
      line(401, "Unauthorized", challenge('realm="trunk", nonce="2"')),
      180
    ],
    answer: "rings",
    cause: "NO_ANSWER",
    credentials: /realm="trunk"/
  }
]

/** Contacts of a success that nothing can be sent to: ACK and BYE go to the trunk. */
const contacts: ReadonlyArray<Row> = (
  [
    ["a private Contact", "drachtio/drachtio-server#100", "<sip:callee@10.1.2.3:5070>"],
    ["a Contact of no domain", "signalwire/freeswitch#651", "<sip:1c2d@df7jal23ls0d.invalid;transport=ws>"],
    ["a Contact without a port", "pjsip/pjproject#4541", "<sip:callee@192.0.2.8>"]
  ] as const
).map(([from, source, contact]): Row => ({
  from,
  source,
  says: [180, { status: 200, headers: [`Contact: ${contact}`] }],
  answer: "rings",
  cause: "NORMAL_CLEARING"
}))

export const rows: ReadonlyArray<Row> = [
  ...ringing,
  ...finals,
  ...causes,
  ...blocks,
  ...account,
  ...digests,
  ...later,
  ...contacts
]
