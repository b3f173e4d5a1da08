/**
 * Carriers: whether they accept messages, their last refusals, and draining.
 */
import { Columns } from "../Columns.tsx"
import { channelName, iconOf } from "../../kit/channels.ts"
import { Icon } from "../../kit/Icon.tsx"
import { Ago } from "../../kit/When.tsx"
import { Answered } from "../Answered.tsx"
import { useWatched } from "../answers.ts"
import type { Output } from "../api.ts"
import { Do } from "../Do.tsx"
import { Nothing, Part } from "../Head.tsx"
import { count, share, wordsOf } from "../words.ts"

export const Carriers = () => {
  const answer = useWatched("carrier list", {})
  return (
    <Part title="Carriers">
      <Answered answer={answer}>
        {({ carriers }) =>
          carriers.length === 0 ? (
            <Nothing title="No named carriers">
              <p>Carriers in the CARRIERS setting are listed here, where you can drain them before maintenance.</p>
            </Nothing>
          ) : (
            <Table carriers={carriers} done={answer.again} />
          )
        }
      </Answered>
    </Part>
  )
}

type Carrier = Output<"carrier list">["carriers"][number]

const Table = ({ carriers, done }: { readonly carriers: ReadonlyArray<Carrier>; readonly done: () => void }) => (
  <table class="list">
    <Columns
      all={[
        "Carrier",
        "State",
        { figures: "Window" },
        { figures: "Sent in an hour" },
        { figures: "Approved" },
        "Last refusal"
      ]}
      acts
    />
    <tbody>
      {carriers.map((carrier) => (
        <Row key={carrier.carrier} carrier={carrier} done={done} />
      ))}
    </tbody>
  </table>
)

const Row = ({ carrier: of, done }: { readonly carrier: Carrier; readonly done: () => void }) => {
  const { approved, carrier, channel, drained, rate, refusal, sent, unrecognized, window } = of
  return (
    <tr>
      <th scope="row">
        <Icon name={iconOf(channel ?? "")} />
        {carrier}
        {channel !== null && <span class="visually-hidden"> by {channelName(channel)}</span>}
      </th>
      <td>
        <State carrier={of} />
      </td>
      <td class="number" data-label="Window">
        {window === null ? "–" : `${count(window.used)} of ${count(window.size)}`}
        {rate !== null && <p class="soft">throttles at {count(rate)} a second</p>}
      </td>
      <td class="number" data-label="Sent in an hour">
        {count(sent)}
      </td>
      <td class="number" data-label="Approved">
        {share(approved, sent)}
      </td>
      <td class="said" data-label="Last refusal">
        {refusal === null ? (
          <span class="soft">none</span>
        ) : (
          <>
            {refusal.message}{" "}
            <span class="soft">
              <Ago at={refusal.at} />
            </span>
          </>
        )}
        {unrecognized.length > 0 && <NotRecognized all={unrecognized} />}
      </td>
      <td>
        <div class="acts">
          {drained ? (
            <Do
              command="carrier resume"
              label="Resume"
              name={`Resume ${carrier}`}
              class="button small"
              given={{ carrier }}
              done={done}
            />
          ) : (
            <Do
              command="carrier drain"
              label="Drain"
              name={`Drain ${carrier}`}
              class="button small"
              given={{ carrier }}
              first={{ for: "1h" }}
              says="It gets no new messages; other carriers take over. Messages it has accepted are completed, and its receipts still count."
              isHard
              done={done}
            />
          )}
        </div>
      </td>
    </tr>
  )
}

/** The carrier's words that no table has, the most recent first. */
const NotRecognized = ({ all }: { readonly all: Carrier["unrecognized"] }) => (
  <details>
    <summary>
      Not recognized: {count(all.length)} {all.length === 1 ? "kind" : "kinds"}
    </summary>
    <ul>
      {all.map(({ at, count: times, kind, word }) => (
        <li key={`${kind} ${word}`}>
          {wordsOf(kind)} {word !== "" && <code>{word}</code>}{" "}
          <span class="soft">
            {times === 1 ? "once," : `${count(times)} times, last`} <Ago at={at} />
          </span>
        </li>
      ))}
    </ul>
  </details>
)

const State = ({ carrier: { drained, drained_until: until, resting, servers, up } }: { readonly carrier: Carrier }) => {
  if (drained) {
    return (
      <span class="pill warn">
        drained
        {until !== null && (
          <span class="because">
            , ends <Ago at={until} />
          </span>
        )}
      </span>
    )
  }
  if (servers === 0) return <span class="pill">not on any server</span>
  if (up === 0) return <span class="pill bad">down</span>
  if (resting > 0) return <span class="pill warn">paused after refusals</span>
  return up < servers ? (
    <span class="pill warn">
      up in {up} of {servers} servers
    </span>
  ) : (
    <span class="pill good">up</span>
  )
}
