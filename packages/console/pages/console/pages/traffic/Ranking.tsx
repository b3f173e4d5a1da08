/**
 * Where sends do worst, by country, channel and carrier.
 */
import { channelName, euros, iconOf } from "../../../kit/channels.ts"
import { Icon } from "../../../kit/Icon.tsx"
import { AccountLink } from "../../AccountLink.tsx"
import { countryName } from "../../countries.ts"
import { linkHere, param } from "../../route.ts"
import { count, share } from "../../words.ts"
import { type Line, costOf, ranked } from "./figures.ts"

/** The most lines that are shown. */
const MOST = 100

interface Given {
  readonly lines: ReadonlyArray<Line>
  /** The lines of the span before. */
  readonly before: ReadonlyArray<Line>
}

const nameOf = ({ account_id: account, carrier, channel, country }: Line): string =>
  [country, channel, carrier, account].join(" ")

export const Ranking = ({ before, lines }: Given) => {
  const [first] = lines
  const shown = ranked(lines)
  const earlier = new Map(before.map((line) => [nameOf(line), line]))
  return (
    <>
      <table class="list">
        <thead>
          <tr>
            {first?.country !== undefined && <th scope="col">Country</th>}
            {first?.channel !== undefined && <th scope="col">Channel</th>}
            {first?.carrier !== undefined && <th scope="col">Carrier</th>}
            {first?.account_id !== undefined && <th scope="col">Account</th>}
            <Name>Sent</Name>
            <Name>Delivered</Name>
            <Name>Approved</Name>
            <Name>Blocked</Name>
            <Name>Receipt delay, p50 / p95</Name>
            <Name>Cost per approved</Name>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, MOST).map((line) => (
            <Row key={nameOf(line)} line={line} before={earlier.get(nameOf(line))} />
          ))}
        </tbody>
      </table>
      {shown.length > MOST && (
        <p class="soft small">
          The worst {MOST} of {count(shown.length)}; the command traffic has all.
        </p>
      )}
    </>
  )
}

const Name = ({ children }: { readonly children: string }) => (
  <th scope="col" class="number">
    {children}
  </th>
)

const Row = ({ before, line }: { readonly line: Line; readonly before: Line | undefined }) => {
  const { account_id: account, approved, blocked, carrier, channel, country, delay, delivered, sent } = line
  const cost = costOf(line)
  return (
    <tr>
      {country !== undefined && (
        <td class="main">
          {country === "" ? (
            countryName(country)
          ) : (
            <a href={linkHere({ country, channel: channel ?? param("channel"), carrier: carrier || param("carrier") })}>
              {countryName(country)}
            </a>
          )}
        </td>
      )}
      {channel !== undefined && (
        <td>
          <Icon name={iconOf(channel)} />
          {channelName(channel)}
        </td>
      )}
      {carrier !== undefined && <td>{carrier === "" ? "–" : carrier}</td>}
      {account !== undefined && (
        <td>
          <AccountLink id={account} />
        </td>
      )}
      <Cell label="Sent" value={count(sent)} before={before && count(before.sent)} />
      <Cell label="Delivered" value={share(delivered, sent)} before={before && share(before.delivered, before.sent)} />
      <Cell label="Approved" value={share(approved, sent)} before={before && share(before.approved, before.sent)} />
      <Cell label="Blocked" value={count(blocked)} />
      <Cell label="Receipt" value={delay.p50 === null ? "–" : `${delay.p50} / ${delay.p95 ?? "–"} s`} />
      <Cell label="Cost per approved" value={cost === null ? "–" : euros(cost)} />
    </tr>
  )
}

const Cell = (given: { readonly label: string; readonly value: string; readonly before?: string | undefined }) => (
  <td class="number" data-label={given.label}>
    {given.value}
    {given.before !== undefined && <span class="soft small"> ({given.before})</span>}
  </td>
)
