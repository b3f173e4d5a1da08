/**
 * The numbers that an ambiguous text may mean: each as a link, with its country.
 */
import { useAnswer } from "../../answers.ts"
import { Nothing, Problem } from "../../Head.tsx"
import { linkTo } from "../../route.ts"

interface Given {
  readonly text: string
  /** Why it is not looked up. */
  readonly refusal: string
}

export const Readings = ({ refusal, text }: Given) => {
  const { data, problem } = useAnswer("number read", { number: text })
  if (data === undefined && problem === null) return null
  if (data === undefined || data.number !== null) return <Problem text={refusal} />
  if (data.readings.length === 0) {
    return (
      <>
        <Problem text={refusal} />
        <Nothing title="This is no phone number">
          <p>Enter it with its country code, such as +49 for Germany.</p>
        </Nothing>
      </>
    )
  }
  return (
    <nav class="readings" aria-label="Numbers that it may be">
      <h2>Did you mean</h2>
      {data.readings.map(({ name, number, written }) => (
        <a key={number} class="button" href={linkTo("number", number)}>
          {name === null ? written : `${name}: ${written}`}
        </a>
      ))}
    </nav>
  )
}
