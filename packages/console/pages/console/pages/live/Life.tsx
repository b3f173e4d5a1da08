/**
 * The whole life of one record of a list: a send, or a verification with all its sends.
 */
import { Answered } from "../../Answered.tsx"
import { useAnswer } from "../../answers.ts"
import { linkTo } from "../../route.ts"
import { Chapter, chaptersOf } from "../Story.tsx"

/** In milliseconds: the verification of a send may have begun so long before it. */
const BEFORE = 86_400_000

export const Life = ({ at, id, number }: { readonly at: string; readonly id: string; readonly number: string }) => {
  const answer = useAnswer("why", { number, since: new Date(Date.parse(at) - BEFORE).toISOString() })
  const own = id.replace(/^vrf_/, "")
  return (
    <div class="life">
      <Answered answer={answer} lines={2}>
        {({ items }) => {
          const chapter = chaptersOf(items).find(({ head, sends }) => [head, ...sends].some((each) => each.id === own))
          return chapter === undefined ? (
            <p class="soft">Newer records of this number hide it: see the page of the number.</p>
          ) : (
            <Chapter {...chapter} done={answer.again} />
          )
        }}
      </Answered>
      <a href={linkTo("number", number)}>All records of {number}</a>
    </div>
  )
}
