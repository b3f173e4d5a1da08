/**
 * Where codes are not entered: countries, each of which unfolds to prefixes of its numbers.
 */
import { useSignal } from "@preact/signals"
import { Columns } from "../../Columns.tsx"
import type { Output } from "../../api.ts"
import { countryName } from "../../countries.ts"
import { Do } from "../../Do.tsx"
import { Nothing, Part } from "../../Head.tsx"
import { count } from "../../words.ts"

type Country = Output<"guard look">["countries"][number]

interface Blocking {
  /** The effect of a block. */
  readonly says: string
  readonly done: () => void
}

export const Unentered = ({ countries, ...blocking }: { readonly countries: ReadonlyArray<Country> } & Blocking) => (
  <Part
    title="Where codes are not entered"
    says="In the last hour. Many unused codes and almost no approvals mean an attack."
  >
    {countries.length === 0 ? (
      <Nothing title="No country has five unused codes of the last hour" />
    ) : (
      <table class="list">
        <Columns all={["Country", { figures: "Not entered" }, { figures: "Approved" }]} acts />
        <tbody>
          {countries.map((country) => (
            <Rows key={country.country} {...country} {...blocking} />
          ))}
        </tbody>
      </table>
    )}
  </Part>
)

const Rows = ({ country, prefixes, ...row }: Country & Blocking) => {
  const isOpen = useSignal(false)
  const name = countryName(country)
  return (
    <>
      <Row {...row} place={country} name={name}>
        <button type="button" class="fold" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {name}
        </button>
      </Row>
      {isOpen.value &&
        prefixes.map(({ prefix, ...sum }) => (
          <Row key={prefix} {...row} {...sum} place={prefix} name={prefix}>
            <span class="folded">{prefix}…</span>
          </Row>
        ))}
    </>
  )
}

interface Row extends Blocking, Pick<Country, "approved" | "unverified"> {
  readonly place: string
  readonly name: string
  readonly children: preact.ComponentChildren
}

const Row = ({ approved, children, done, name, place, says, unverified }: Row) => (
  <tr>
    <th scope="row">{children}</th>
    <td class="number" data-label="Not entered">
      {count(unverified)}
    </td>
    <td class="number" data-label="Approved">
      {count(approved)}
    </td>
    <td>
      <div class="acts">
        <Do
          command="guard block"
          label="Block"
          name={`Block ${name}`}
          class="button small"
          given={{ account_id: null }}
          first={{ place, for: "12h" }}
          says={says}
          done={done}
        />
      </div>
    </td>
  </tr>
)
