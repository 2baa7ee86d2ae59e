import { bdi, el, icon } from './dom.js'
import { isRich, isShown, type View } from './view.js'

const CHARS_MAX = 140

/** Beside the closed launcher: the newest answer that was not read, or the greeting where the page asks for it. */
export interface Nudge {
  element: HTMLElement
  update(isOpen: boolean): void
}

export function createNudge({ talk, words }: View, wantsGreeting: boolean, open: () => void): Nudge {
  const text = el('span', { dir: 'auto' })
  const who = el('b')
  const element = el(
    'div',
    { class: 'nudge', role: 'status' },
    el('button', { type: 'button', class: 'told', click: open }, who, text),
    el('button', { type: 'button', class: 'btn', 'aria-label': words.dismiss, click: dismiss }, icon('x', true)),
  )
  let shown = ''
  element.hidden = true
  return { element, update }

  function update(isOpen: boolean): void {
    const found = isOpen ? null : find()
    element.hidden = found === null
    if (!found || found.key === shown) return
    shown = found.key
    who.replaceChildren(...(found.name ? [bdi(found.name)] : []))
    text.textContent = found.text
  }

  function find(): { key: string; name: string; text: string } | null {
    const { unread, messages } = talk.thread
    const dismissed = talk.storage.read<string>('nudge')
    if (unread > 0) {
      const last = messages.findLast((message) => message.role !== 'CONTACT' && isShown(message))
      if (!last || last.id === dismissed) return null
      const said = isRich(last) ? '' : (last.text ?? '')
      const cut = said.length > CHARS_MAX ? `${said.slice(0, CHARS_MAX)}…` : said
      return { key: last.id, name: last.user?.displayName ?? words.agent, text: cut || words.newMessage }
    }
    const greeting = talk.settings?.greeting
    if (!wantsGreeting || !greeting || dismissed !== null || messages.length > 0) return null
    return { key: 'greeting', name: '', text: greeting }
  }

  function dismiss(): void {
    talk.storage.write('nudge', shown)
    element.hidden = true
  }
}
