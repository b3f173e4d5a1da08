/**
 * Where sends do worst, by country, channel and carrier.
 */
import { channelName, decimalsOf, euros, iconOf } from "../../../kit/channels.ts"
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
  readonly total: Line
}

const nameOf = ({ account_id: account, carrier, channel, country }: Line): string =>
  [country, channel, carrier, account].join(" ")

export const Ranking = ({ before, lines, total }: Given) => {
  const [first] = lines
  const shown = ranked(lines)
  const money = decimalsOf([...lines, total].flatMap(({ cost, margin, price }) => [cost, margin, price]))
  const earlier = new Map(before.map((line) => [nameOf(line), line]))
  return (
    <>
      <div class="across" role="group" aria-label="Worst first" tabIndex={0}>
        <table class="list wide">
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
              <Name>Price</Name>
              <Name>Cost</Name>
              <Name>Margin</Name>
              <Name>Cost per approved</Name>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, MOST).map((line) => (
              <Row key={nameOf(line)} line={line} before={earlier.get(nameOf(line))} money={money} />
            ))}
            {lines.length > 1 && <Row line={{ ...first, ...total }} money={money} isTotal />}
          </tbody>
        </table>
      </div>
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

interface GivenRow {
  readonly line: Line
  readonly before?: Line | undefined
  /** The decimals of its amounts. */
  readonly money: number
  readonly isTotal?: boolean
}

const Row = ({ before, isTotal = false, line, money }: GivenRow) => {
  const { approved, blocked, delay, delivered, margin, sent } = line
  const each = costOf(line)
  return (
    <tr class={isTotal ? "total" : ""}>
      {isTotal ? <All line={line} /> : <Place line={line} />}
      <Cell label="Sent" value={count(sent)} before={before && count(before.sent)} />
      <Cell label="Delivered" value={share(delivered, sent)} before={before && share(before.delivered, before.sent)} />
      <Cell label="Approved" value={share(approved, sent)} before={before && share(before.approved, before.sent)} />
      <Cell label="Blocked" value={count(blocked)} />
      <Cell label="Receipt" value={delay.p50 === null ? "–" : `${delay.p50} / ${delay.p95 ?? "–"} s`} />
      <Cell label="Price" value={euros(line.price, money)} />
      <Cell label="Cost" value={euros(line.cost, money)} />
      <Cell label="Margin" value={euros(margin, money)} isOdd={margin < 0} />
      <Cell label="Cost per approved" value={each === null ? "–" : euros(each, EACH)} />
    </tr>
  )
}

/** The decimals of the cost of an approved number, which is rounded. */
const EACH = 4

const DIMENSIONS = ["country", "channel", "carrier", "account_id"] as const

const All = ({ line }: { readonly line: Line }) => (
  <th scope="row" colSpan={DIMENSIONS.filter((name) => line[name] !== undefined).length}>
    All
  </th>
)

const Place = ({ line: { account_id: account, carrier, channel, country } }: { readonly line: Line }) => (
  <>
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
  </>
)

interface GivenCell {
  readonly label: string
  readonly value: string
  readonly before?: string | undefined
  readonly isOdd?: boolean
}

const Cell = (given: GivenCell) => (
  <td class={given.isOdd === true ? "number odd" : "number"} data-label={given.label}>
    {given.value}
    {given.before !== undefined && <span class="soft small"> ({given.before})</span>}
  </td>
)
