import type { GuestProfileInput } from '../../generated/widget.js'
import type { Chat, WidgetOptions } from '../options.js'
import chatCss from '../style/chat.css'
import { Talk } from '../talk/talk.js'
import { loadWords } from '../words/load.js'
import { addStyle } from './add-style.js'
import { el } from './dom.js'
import { createNudge } from './nudge.js'
import { createPanel } from './panel.js'

/** Called by the loader, once. */
export async function start(options: WidgetOptions): Promise<Chat> {
  const { host, root, button, language, server } = options
  const words = await loadWords(language)
  addStyle(root, chatCss)
  const talk = new Talk(options)
  const place = el('div', { lang: language })
  root.append(place)
  const view = { talk, words, language, server, root }
  const panel = createPanel(view, close)
  const nudge = createNudge(view, options.nudge, open)
  place.append(nudge.element)
  if (options.nudge) void talk.loadSettings()
  const opened = button.ariaLabel
  const isOpen = (): boolean => panel.element.isConnected
  talk.listen(() => {
    const accent = talk.settings?.looks.accent
    if (accent) host.style.setProperty('--service-accent', accent)
    const { unread } = talk.thread
    button.ariaLabel = unread > 0 ? words.newMessages(unread) : opened
    // Drawn by the launcher's style.
    if (unread > 0) button.dataset.unread = unread > 9 ? '9+' : String(unread)
    else delete button.dataset.unread
    nudge.update(isOpen())
    if (isOpen()) panel.update()
  })
  document.addEventListener('visibilitychange', () => talk.see(isOpen()))
  return { open, close, identify: (profile) => talk.identify(profile as GuestProfileInput) }

  function open(): void {
    if (isOpen()) return
    button.hidden = true
    void talk.loadSettings()
    place.append(panel.element)
    nudge.update(true)
    panel.update()
    panel.opened()
    talk.see(true)
    host.dispatchEvent(new CustomEvent('switchboard:opened'))
  }

  function close(): void {
    if (!isOpen()) return
    button.hidden = false
    talk.see(false)
    panel.element.remove()
    button.focus()
    host.dispatchEvent(new CustomEvent('switchboard:closed'))
  }
}
