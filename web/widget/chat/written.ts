import { withPart, type Written } from '@switchboard/client/written'
import { StopWrittenDocument } from '../../generated/written.js'
import { WRITTEN } from '../words/written.js'
import type { View } from './view.js'

/** For a screen reader alone. */
const UNSEEN = 'position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%)'

interface Shown {
  written: Written
  rows: Map<string, HTMLElement>
}

const shownIn = new WeakMap<HTMLElement, Shown>()

/**
 * Shows what is being written: bubbles that grow, and can be stopped. A screen reader is told once that somebody answers, and
 * reads the message when it is whole. What the chat has at once is not imported: it would be cut into more files.
 */
export function showWritten(view: View, parent: HTMLElement): void {
  const { talk, words } = view
  const [answering, stop] = WRITTEN[view.language] ?? WRITTEN.en!
  const { thread } = talk
  let shown = shownIn.get(parent)
  if (!shown) {
    shownIn.set(parent, (shown = { written: new Map(), rows: new Map() }))
    parent.append(made('div', 'rows'), made('p', ''))
    const [bubbles, aloud] = [...parent.children] as [HTMLElement, HTMLElement]
    bubbles.ariaLive = 'off'
    aloud.role = 'status'
    aloud.style.cssText = UNSEEN
  }
  const [bubbles, aloud] = [...parent.children] as [HTMLElement, HTMLElement]
  const click = (id: string) => () => talk.tell(StopWrittenDocument, () => ({ id }))
  for (const part of thread.streamed.splice(0)) shown.written = withPart(shown.written, part)
  const isSaid = (id: string): boolean => talk.isOver || thread.messages.some((message) => message.id === id)
  shown.written = new Map([...shown.written].filter(([id]) => !isSaid(id)))
  // Nothing is shown before the first word.
  const begun = [...shown.written].filter(([, { text }]) => text !== '')
  for (const [id, { name, text }] of begun) {
    let row = shown.rows.get(id)
    if (!row) {
      shown.rows.set(id, (row = rowOf(name ?? words.agent, stop, click(id))))
      bubbles.append(row)
    }
    row.children[1]!.textContent = text
  }
  for (const [id, row] of shown.rows) {
    if (begun.some(([each]) => each === id)) continue
    row.remove()
    shown.rows.delete(id)
  }
  const said = begun.map(([, { name }]) => answering(name ?? words.agent)).join(' ')
  if (aloud.textContent !== said) aloud.textContent = said
}

function rowOf(name: string, stop: string, click: () => void): HTMLElement {
  const [row, who, bubble, button] = [
    made('article', 'turn'),
    made('p', 'who'),
    made('div', 'bub'),
    made('button', 'link'),
  ]
  row.ariaLabel = name
  const author = made('bdi', '')
  author.textContent = name
  who.append(author)
  bubble.dir = 'auto'
  bubble.ariaBusy = 'true'
  button.textContent = stop
  button.addEventListener('click', click)
  row.append(who, bubble, button)
  return row
}

export function made(tag: string, className: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  if (element instanceof HTMLButtonElement) element.type = 'button'
  return element
}
