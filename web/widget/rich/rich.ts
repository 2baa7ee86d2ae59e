import { addStyle } from '../chat/add-style.js'
import type { View } from '../chat/view.js'
import richCss from '../style/rich.css'
import { contentOf } from './content.js'

const styled = new WeakSet<ShadowRoot>()

/** Shows what a message holds beside a text, and keeps it up. @returns how to stop */
export function showRich(view: View, id: string, place: HTMLElement): () => void {
  const { root, talk } = view
  if (!styled.has(root)) {
    styled.add(root)
    addStyle(root, richCss)
  }
  let shown = ''
  let update: () => void = () => undefined
  const show = (): void => {
    const message = talk.thread.messages.find((each) => each.id === id)
    if (!message) return
    // A snapshot brings the same message as another object.
    const now = JSON.stringify(message)
    if (now !== shown) {
      shown = now
      const content = contentOf(view, message)
      place.replaceChildren(...content.elements)
      update = content.update
    }
    update()
  }
  show()
  return talk.listen(show)
}
