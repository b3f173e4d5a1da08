/**
 * `<watchword-form>` for React 18 and newer, including server-side rendering.
 */
import { type ReactElement, type ReactNode, createElement, useEffect, useRef } from "react"
import "./element.ts"
import type { Reason } from "./internal/Wire.ts"
import type { Texts } from "./internal/Texts.ts"

export interface Props {
  /** The address at which the app mounts the handler. */
  readonly action: string
  readonly lang?: string
  /** ISO 3166-1 alpha-2 code of where numbers without a calling code are dialled. */
  readonly country?: string
  readonly texts?: Partial<Texts>
  readonly className?: string
  /**
   * Called after the server has noted the approval. Unless it returns false, the page then navigates to the
   * handler's location.
   */
  readonly onApproved?: (approved: { readonly to: string; readonly location: string | null }) => boolean | void
  readonly onEnded?: (ended: { readonly reason: Reason }) => void
  /** What shows until the script has loaded. */
  readonly children?: ReactNode
}

/** The form as a component. */
export const WatchwordForm = ({
  children,
  className,
  onApproved,
  onEnded,
  texts,
  ...attributes
}: Props): ReactElement => {
  const element = useRef<HTMLElement>(null)
  const handlers = useRef({ onApproved, onEnded })
  useEffect(() => {
    handlers.current = { onApproved, onEnded }
  })
  useEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const ending = new AbortController()
    const on = (type: string, handle: (event: CustomEvent) => void): void =>
      current.addEventListener(type, (event) => event instanceof CustomEvent && handle(event), {
        signal: ending.signal
      })
    on("approved", (event) => {
      if (handlers.current.onApproved?.(event.detail) === false) event.preventDefault()
    })
    on("ended", ({ detail }) => handlers.current.onEnded?.(detail))
    return () => ending.abort()
  }, [])
  return createElement(
    "watchword-form",
    { ...attributes, ref: element, class: className, texts: texts && JSON.stringify(texts) },
    children
  )
}
