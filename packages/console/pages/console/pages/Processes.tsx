/**
 * The processes that serve, each with its lease.
 */
import { Columns } from "../Columns.tsx"
import { Ago } from "../../kit/When.tsx"
import { Answered } from "../Answered.tsx"
import { useWatched } from "../answers.ts"
import { Nothing, Part } from "../Head.tsx"

export const Processes = () => (
  <Part
    title="Processes"
    says="Each process renews its lease every five seconds; the others finish the work of a process that dies"
  >
    <Answered answer={useWatched("process list", {})} lines={1}>
      {({ processes }) =>
        processes.length === 0 ? (
          <Nothing title="No process holds a lease">
            <p>Workers hold no lease; each request is independent.</p>
          </Nothing>
        ) : (
          <table class="list">
            <Columns all={["Process", "Serves since", "Lease"]} />
            <tbody>
              {processes.map(({ lease_until: until, process_id: id, since }) => (
                <tr key={id}>
                  <td>
                    <code>{id}</code>
                  </td>
                  <td data-label="Serves since">
                    <Ago at={since} />
                  </td>
                  <td data-label="Lease">
                    {Date.parse(until) > Date.now() ? (
                      <span class="pill good">valid</span>
                    ) : (
                      <span class="pill bad">
                        ended <Ago at={until} />
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Answered>
  </Part>
)
