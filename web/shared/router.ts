import { signal, type ReadonlySignal } from '@preact/signals'

const current = signal(location.pathname + location.search)

/** Path and query of the page that is shown. */
export const address: ReadonlySignal<string> = current

export function navigate(to: string, { replace = false } = {}): void {
  if (to === current.peek()) return
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  current.value = to
}

/** Lets links below `base` change the page in place; a link with a modifier, a target or elsewhere stays the browser's. */
export function startRouter(base: string): void {
  addEventListener('popstate', () => (current.value = location.pathname + location.search))
  addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = (event.target as Element).closest?.('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return
    event.preventDefault()
    navigate(link.pathname + link.search)
  })
}
