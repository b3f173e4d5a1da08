/**
 * The form in a page of React.
 */
import { WatchwordForm } from "@watchword/form/react"
import { StrictMode, createElement, useState } from "react"
import { createRoot } from "react-dom/client"

const Page = () => {
  const [proved, setProved] = useState<string | null>(null)
  return createElement(
    "section",
    {},
    createElement(WatchwordForm, {
      action: "/phone",
      country: "FR",
      texts: { title: "", send: "Text me" },
      onApproved: ({ to }) => {
        setProved(to)
        return false
      }
    }),
    createElement("output", {}, proved === null ? "" : `React knows ${proved}`)
  )
}

const root = document.querySelector("#root")
if (root !== null) createRoot(root).render(createElement(StrictMode, {}, createElement(Page)))
