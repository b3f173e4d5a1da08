/**
 * The frame of every page: the menu, the look-up of a number, and whether the server answers.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Icon } from "../kit/Icon.tsx"
import { Mark } from "../kit/Mark.tsx"
import { ActDialog } from "./ActDialog.tsx"
import { said } from "./acts.ts"
import { isAway, knock } from "./api.ts"
import { Glyph } from "./Glyph.tsx"
import { Keyboard } from "./Keyboard.tsx"
import { LookUp } from "./LookUp.tsx"
import { type Place, places } from "./places.ts"
import { linkTo, route } from "./route.ts"
import { ServerText } from "./ServerText.tsx"
import { me, signOut } from "./session.ts"
import { SignIn } from "./SignIn.tsx"
import { roleName } from "./words.ts"

export const Shell = () => {
  if (me.value === undefined) return isAway.value ? <Away /> : null
  return me.value === null ? <SignIn /> : <SignedIn />
}

const SignedIn = () => {
  const all = places()
  const place = all.find(({ word }) => word === route.value[0]) ?? all[0]
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = place === undefined ? "Watchword console" : `${place.label} · Watchword console`
    scrollTo(0, 0)
  }, [place])
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to content
      </a>
      <div class="frame">
        <Side all={all} place={place} />
        <div class="sheet">
          {isAway.value && <Away />}
          <Note />
          <main id="main" ref={main} tabIndex={-1}>
            {place === undefined ? <p>Your role cannot open any page here.</p> : <place.page />}
          </main>
        </div>
        <Tabs all={all} place={place} />
      </div>
      <ActDialog />
      <Keyboard />
    </>
  )
}

interface Given {
  readonly all: ReadonlyArray<Place>
  readonly place: Place | undefined
}

const Side = ({ all, place }: Given) => (
  <header class="side">
    <a class="brand" href="#/" aria-label="Watchword, now">
      <Mark />
      <span>Watchword</span>
    </a>
    <LookUp />
    <nav aria-label="Pages">
      {all.map((each) => (
        <Item key={each.word} place={each} isHere={each === place} />
      ))}
    </nav>
    <Who />
  </header>
)

const Item = ({ isHere, place: { glyph, label, word } }: { readonly place: Place; readonly isHere: boolean }) => (
  <a href={linkTo(word)} aria-current={isHere ? "page" : undefined}>
    <Glyph name={glyph} />
    <span>{label}</span>
  </a>
)

const Who = () => {
  const who = me.value
  if (!who) return null
  return (
    <div class="who">
      <p>
        <b>{who.name}</b>
        <span class="soft small">{roleName(who.role)}</span>
      </p>
      {who.signed_in_by !== "host" && who.signed_in_by !== "proxy" && (
        <button type="button" class="round" aria-label="Sign out" title="Sign out" onClick={() => void leave()}>
          <Glyph name="out" />
        </button>
      )}
    </div>
  )
}

const leave = async (): Promise<void> => {
  await signOut().catch(() => (said.value = "The server is not responding, so you are still signed in."))
}

/** How many pages a small screen shows in its bar; the others are behind "More". */
const FIRST = 4

/** The menu of small screens. */
const Tabs = ({ all, place }: Given) => {
  const isOpen = useSignal(false)
  const rest = all.length > FIRST + 1 ? all.slice(FIRST) : []
  useEffect(() => void (isOpen.value = false), [place])
  return (
    <>
      {isOpen.value && (
        <div class="more" id="more">
          <nav aria-label="More pages">
            {rest.map((each) => (
              <Item key={each.word} place={each} isHere={each === place} />
            ))}
          </nav>
          <Who />
        </div>
      )}
      <nav class="tabs" aria-label="Pages">
        {(rest.length === 0 ? all : all.slice(0, FIRST)).map((each) => (
          <Item key={each.word} place={each} isHere={each === place} />
        ))}
        <button
          type="button"
          aria-expanded={isOpen.value}
          aria-controls="more"
          class={place !== undefined && rest.includes(place) ? "here" : ""}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Glyph name="more" />
          <span>More</span>
        </button>
      </nav>
    </>
  )
}

const Away = () => (
  <div class="notice bad" role="alert">
    <p>The server is not responding. This data may be out of date; the page reconnects automatically.</p>
    <button type="button" class="button small" onClick={knock}>
      Try again
    </button>
  </div>
)

/** In milliseconds. */
const SHOWN = 12_000

/** The result of the last act, for a few seconds. */
const Note = () => {
  const text = said.value
  useEffect(() => {
    if (text === null) return
    const timer = setTimeout(() => (said.value = null), SHOWN)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="note" role="status">
      {text !== null && (
        <div>
          <Icon name="check" />
          <p>
            <ServerText text={text} />
          </p>
          <button type="button" class="round" aria-label="Dismiss" onClick={() => (said.value = null)}>
            <Icon name="cross" />
          </button>
        </div>
      )}
    </div>
  )
}
