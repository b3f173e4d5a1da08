/**
 * Where sends do worst, by country, channel and carrier.
 */
import { channelName, euros, iconOf } from "../../../kit/channels.ts"
import { Icon } from "../../../kit/Icon.tsx"
import { AccountLink } from "../../AccountLink.tsx"
import { countryName } from "../../countries.ts"
import { count, share } from "../../words.ts"
import { type Line, costOf, ranked } from "./figures.ts"

/** The most lines that are shown. */
const MOST = 100

export const Ranking = ({ lines }: { readonly lines: ReadonlyArray<Line> }) => {
  const [first] = lines
  const shown = ranked(lines)
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
            <Row key={[line.country, line.channel, line.carrier, line.account_id].join(" ")} line={line} />
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

const Row = ({ line }: { readonly line: Line }) => {
  const { account_id: account, approved, blocked, carrier, channel, country, delay, delivered, sent } = line
  const cost = costOf(line)
  return (
    <tr>
      {country !== undefined && <td class="main">{countryName(country)}</td>}
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
      <Cell label="Sent" value={count(sent)} />
      <Cell label="Delivered" value={share(delivered, sent)} />
      <Cell label="Approved" value={share(approved, sent)} />
      <Cell label="Blocked" value={count(blocked)} />
      <Cell label="Receipt" value={delay.p50 === null ? "–" : `${delay.p50} / ${delay.p95 ?? "–"} s`} />
      <Cell label="Cost per approved" value={cost === null ? "–" : euros(cost)} />
    </tr>
  )
}

const Cell = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <td class="number" data-label={label}>
    {value}
  </td>
)
