/**
 * The head of a page: its name, its subject, and its acts.
 */
import type { ComponentChildren } from "preact"

export const Head = (given: {
  readonly title: ComponentChildren
  readonly says?: ComponentChildren
  readonly children?: ComponentChildren
}) => (
  <header class="head">
    <div>
      <h1>{given.title}</h1>
      {given.says !== undefined && <p class="soft">{given.says}</p>}
    </div>
    {given.children !== undefined && <div class="acts">{given.children}</div>}
  </header>
)

/** A part of a page, with a heading. */
export const Part = (given: {
  readonly title: string
  readonly says?: ComponentChildren
  readonly acts?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}) => (
  <section class={`part ${given.class ?? ""}`} aria-label={given.title}>
    <header>
      <div>
        <h2>{given.title}</h2>
        {given.says !== undefined && <p class="soft small">{given.says}</p>}
      </div>
      {given.acts !== undefined && <div class="acts">{given.acts}</div>}
    </header>
    {given.children}
  </section>
)

/** A placeholder for content that does not exist yet, with advice on how to create it. */
export const Nothing = ({ children, title }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="nothing">
    <b>{title}</b>
    {children !== undefined && <div class="soft">{children}</div>}
  </div>
)

/** The server's refusal. */
export const Problem = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p class="refused" role="alert">
      {text}
    </p>
  )

/** Placeholder lines for an answer that is on its way. */
export const Waiting = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="waiting" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <i key={line} />
    ))}
  </div>
)
