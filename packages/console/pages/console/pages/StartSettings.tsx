/**
 * The settings that the server was started with: asked for once they are opened.
 */
import { Columns } from "../Columns.tsx"
import { Answered } from "../Answered.tsx"
import { useAnswer } from "../answers.ts"
import type { Output } from "../api.ts"
import { Nothing, Part } from "../Head.tsx"
import { openOf } from "../params.ts"
import { count } from "../words.ts"

export const StartSettings = () => {
  const { isOpen, toggle } = openOf("open", "settings")
  return (
    <Part title="Settings">
      <details open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
        <summary>Startup settings (secrets hidden)</summary>
        {isOpen && <Opened />}
      </details>
    </Part>
  )
}

const Opened = () => (
  <Answered answer={useAnswer("settings", {})}>
    {({ settings }) =>
      settings.length === 0 ? (
        <Nothing title="No server settings">
          <p>The service runs inside an app, and its settings are in the app's code.</p>
        </Nothing>
      ) : (
        <>
          <Table settings={settings.filter(({ set }) => set)} />
          <details>
            <summary>{count(settings.filter(({ set }) => !set).length)} that are not set</summary>
            <Table settings={settings.filter(({ set }) => !set)} />
          </details>
        </>
      )
    }
  </Answered>
)

const Table = ({ settings }: Output<"settings">) =>
  settings.length === 0 ? null : (
    <table class="list">
      <Columns all={["Setting", "Value"]} />
      <tbody>
        {settings.map(({ name, set, usual, value }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td class="what">
              {value ?? <span class="soft">{set ? "set, and secret" : usual === "" ? "not set" : usual}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
