import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { GuestProfileInput } from '../../shared/graphql/widget.js'
import type { Chat, WidgetOptions } from '../options.js'
import chatCss from '../style/chat.css'
import { Talk } from '../talk/talk.js'
import { loadWords } from '../words/load.js'
import { Panel } from './panel.js'
import { ViewContext, type View } from './view.js'

/** Called by the loader, once. */
export async function start(options: WidgetOptions): Promise<Chat> {
  const { host, root, button, language, server } = options
  const words = await loadWords(language)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(chatCss)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  const talk = new Talk(options)
  const chat = new OpenChat(options, talk)
  const place = document.createElement('div')
  place.lang = language
  root.append(place)
  render(<Widget chat={chat} view={{ talk, words, language, server }} />, place)
  const opened = button.ariaLabel
  talk.listen(() => {
    const accent = talk.settings?.looks.accent
    if (accent) host.style.setProperty('--service-accent', accent)
    button.ariaLabel = talk.unread > 0 ? words.newMessages(talk.unread) : opened
  })
  document.addEventListener('visibilitychange', () => talk.see(chat.isOpen))
  return chat
}

class OpenChat implements Chat {
  isOpen = false
  changed: () => void = () => undefined

  constructor(
    private readonly options: WidgetOptions,
    private readonly talk: Talk,
  ) {}

  open(): void {
    if (this.isOpen) return
    const { host, button } = this.options
    this.isOpen = true
    button.hidden = true
    void this.talk.loadSettings()
    this.changed()
    this.talk.see(true)
    host.dispatchEvent(new CustomEvent('switchboard:opened'))
  }

  close(): void {
    if (!this.isOpen) return
    const { host, button } = this.options
    this.isOpen = false
    button.hidden = false
    this.talk.see(false)
    this.changed()
    button.focus()
    host.dispatchEvent(new CustomEvent('switchboard:closed'))
  }

  identify(profile: unknown): void {
    this.talk.identify(profile as GuestProfileInput)
  }
}

function Widget({ chat, view }: { chat: OpenChat; view: View }) {
  const [isOpen, setOpen] = useState(chat.isOpen)
  const [, redraw] = useState({})
  const { talk } = view
  useEffect(() => {
    chat.changed = () => setOpen(chat.isOpen)
    setOpen(chat.isOpen)
    return talk.listen(() => redraw({}))
  }, [chat, talk])
  // A new object: what was said is in the same one.
  return isOpen ? (
    <ViewContext.Provider value={{ ...view }}>
      <Panel close={() => chat.close()} />
    </ViewContext.Provider>
  ) : null
}
