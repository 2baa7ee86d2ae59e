import { showPlace } from './place.js'
import { made, showWritten } from './written.js'
import type { View } from './view.js'

/** Shows what is below the messages: what is being written, the visitor's place in line, and who types. */
export function showBelow(view: View, parent: HTMLElement): void {
  if (parent.firstChild === null) parent.append(made('div', 'rows'), made('div', 'rows'), typist())
  const [written, place, typing] = [...parent.children] as [HTMLElement, HTMLElement, HTMLElement]
  showWritten(view, written)
  showPlace(view, place)
  showTyping(view, typing)
}

function typist(): HTMLElement {
  const [typing, dots] = [made('p', 'typing'), made('i', '')]
  dots.ariaHidden = 'true'
  dots.append(made('span', ''))
  typing.append(dots, made('bdi', ''))
  return typing
}

function showTyping({ talk: { thread }, words }: View, typing: HTMLElement): void {
  typing.hidden = thread.typing === null
  // Written once: a log announces what is written to it.
  const said = thread.typing === null ? '' : words.typing(thread.typing || words.agent)
  const line = typing.lastElementChild!
  if (line.textContent !== said) line.textContent = said
}
