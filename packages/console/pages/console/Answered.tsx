/**
 * An answer on the screen, or lines in its place until it comes.
 */
import type { ComponentChildren } from "preact"
import { Problem, Waiting } from "./Head.tsx"

export const Answered = <D,>(given: {
  readonly answer: { readonly data: D | undefined; readonly problem: string | null }
  readonly lines?: number
  readonly children: (data: D) => ComponentChildren
}) => {
  const { data, problem } = given.answer
  return (
    <>
      <Problem text={problem} />
      {data === undefined ? problem === null && <Waiting lines={given.lines ?? 3} /> : given.children(data)}
    </>
  )
}
