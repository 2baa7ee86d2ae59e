import type { Outgoing } from '../talk/outbox.js'
import { el } from './dom.js'
import { arrange, Rows } from './rows.js'
import { partRow, partsOf, pendingRow, type Part } from './turns.js'
import type { View } from './view.js'

/** Nearer to its end than this, the log follows what comes. */
const END_PX = 40

export interface Log {
  element: HTMLElement
  update(): void
  toEnd(): void
}

/** The messages, those on their way, and who types. */
export function createLog(view: View, edit: (text: string) => void): Log {
  const { talk, words } = view
  let isAtEnd = true
  let top = 0
  const earlier = el(
    'button',
    { type: 'button', class: 'link earlier', click: () => void talk.loadEarlier() },
    words.earlier,
  )
  const greeting = el('div', { class: 'bub greet', dir: 'auto' })
  const greet = el('div', { class: 'turn' }, greeting)
  const line = (text: string): HTMLElement => el('p', { class: 'sys' }, text)
  const [away, over, notKept] = [line(words.away), line(words.over), line(words.notKept)]
  const rows = (): HTMLElement => el('div', { class: 'rows' })
  const [said, sending, below] = [rows(), rows(), rows()]
  const turns = el('div', { class: 'turns' }, said, sending)
  const element = el('div', { class: 'log', role: 'log', 'aria-label': words.messages, tabindex: 0, scroll }, turns)
  const parts = new Rows<Part>(
    said,
    ({ key }) => key,
    (part) => partRow(view, part),
  )
  const pendings = new Rows<Outgoing>(
    sending,
    ({ id }) => id,
    (outgoing) => pendingRow(view, outgoing, edit),
  )
  const toEnd = (): void => {
    if (isAtEnd) element.scrollTop = element.scrollHeight
  }
  // What comes late, such as an image, does not push the newest out of sight.
  const observer = new ResizeObserver(toEnd)
  observer.observe(element)
  observer.observe(turns)
  return { element, update, toEnd }

  function scroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = element
    // It is told of late: what has grown meanwhile is below, and nobody has gone up.
    isAtEnd = scrollHeight - scrollTop - clientHeight < END_PX || (isAtEnd && scrollTop >= top)
    top = scrollTop
  }

  function update(): void {
    const { settings, thread, pending } = talk
    if (!greeting.textContent) greeting.textContent = settings?.greeting ?? ''
    parts.show(partsOf(view))
    pendings.show(pending.filter(({ form }) => form === undefined))
    // Loaded for those who wait in a line, or are being answered.
    if (thread.place || thread.streamed[0] || thread.typing !== null || below.firstChild || settings?.opensAt) {
      void import('./below.js').then(
        ({ showBelow }) => showBelow(view, below),
        () => undefined,
      )
    }
    arrange(turns, [
      thread.earlier !== null && earlier,
      greeting.textContent !== '' && greet,
      settings?.online === false && thread.messages.length === 0 && away,
      said,
      talk.isOver && over,
      sending,
      below,
      !talk.storage.isKept && pending.length > 0 && notKept,
    ])
    toEnd()
  }
}
