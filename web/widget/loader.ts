import launcherCss from './style/launcher.css'
import type { Chat, WidgetOptions } from './options.js'

// The one script of a page: a button, and nothing else until it is tapped. No request goes out and no row is written.
{
  const script = document.currentScript as HTMLScriptElement
  const { service = '', language, theme, nudge: wish } = script.dataset
  const nudge = wish !== undefined
  const wanted = language ?? [document.documentElement.lang, ...navigator.languages].map((each) => each.slice(0, 2))
  const known: Record<string, string> = { en: 'Open chat', nl: 'Chat openen', de: 'Chat öffnen', fr: 'Ouvrir le chat' }
  const chosen = [wanted].flat().find((each) => each in known) ?? 'en'

  const host = document.createElement('switchboard-widget')
  if (theme) host.dataset.theme = theme
  const root = host.attachShadow({ mode: 'open' })
  // No inline style: a page that allows none has the widget as it is.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(launcherCss)
  root.adoptedStyleSheets = [sheet]

  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'launch'
  button.ariaLabel = known[chosen]!
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.ariaHidden = 'true'
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute(
    'd',
    'M13.75 7.5c0 2.9-2.6 5-5.75 5-.7 0-1.3-.1-1.9-.3L3 13.5l.7-2.6A4.8 4.8 0 0 1 2.25 7.5c0-2.9 2.6-5 5.75-5s5.75 2.1 5.75 5Z',
  )
  svg.append(path)
  button.append(svg)
  root.append(button)

  let loading: Promise<Chat> | undefined
  const load = (): Promise<Chat> => {
    const server = new URL('.', script.src).href.slice(0, -1)
    const options: WidgetOptions = { server, service, language: chosen, nudge, host, root, button }
    loading ??= import('./chat/start.js').then(({ start }) => start(options))
    loading.catch(() => (loading = undefined))
    return loading
  }
  const open = async (): Promise<void> => {
    button.ariaBusy = 'true'
    await load().then(
      (chat) => chat.open(),
      // The server is away: the next tap tries again.
      (error: unknown) => {
        host.dispatchEvent(new CustomEvent('switchboard:failed', { detail: error }))
      },
    )
    button.ariaBusy = null
  }
  button.addEventListener('click', () => void open())
  host.addEventListener('switchboard:open', () => void open())
  host.addEventListener('switchboard:close', () => void loading?.then((chat) => chat.close()))
  host.addEventListener('switchboard:identify', ({ detail }: CustomEventInit) => {
    void load().then((chat) => chat.identify(detail))
  })

  const show = (): void => {
    document.body.append(host)
    // Who was here before may have an answer waiting; and a page may ask for the greeting.
    let isKnown = false
    try {
      isKnown = localStorage.getItem(`switchboard ${service}`) !== null
    } catch {
      // Storage is forbidden: everybody is new.
    }
    if (isKnown || nudge) (window.requestIdleCallback ?? setTimeout)(() => void load().catch(() => undefined))
  }
  if (document.body) show()
  else document.addEventListener('DOMContentLoaded', show)
}
