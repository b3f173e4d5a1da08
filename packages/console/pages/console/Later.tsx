/**
 * Pages whose code is loaded when they are first opened, so that the first page loads fast.
 */
import { signal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { loading } from "./api.ts"
import { Waiting } from "./Head.tsx"

/** @param load imports the page's module */
export const later = (load: () => Promise<ComponentType>): ComponentType => {
  const page = signal<{ readonly shown: ComponentType } | null>(null)
  const isLost = signal(false)
  const fetched = async (): Promise<void> => {
    isLost.value = false
    try {
      page.value = { shown: await loading(load()) }
    } catch {
      isLost.value = true
    }
  }
  return () => {
    useEffect(() => {
      if (page.value === null) void fetched()
    }, [])
    if (page.value !== null) return <page.value.shown />
    return isLost.value ? <Lost /> : <Waiting lines={5} />
  }
}

/** A newer version of the console has other files. */
const Lost = () => (
  <div class="refused" role="alert">
    <p>This page could not be loaded. The console may have been updated since you opened it.</p>
    <button type="button" class="button" onClick={() => location.reload()}>
      Reload
    </button>
  </div>
)
