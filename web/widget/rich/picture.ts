import { el } from '../chat/dom.js'
import type { View } from '../chat/view.js'
import { lineIcon } from './line-icon.js'

/** An image of the server is shown; one of elsewhere tells its owner who looks, so it waits for a tap. */
export function pictureOf({ words, server }: View, address: string, name = ''): HTMLElement {
  const url = URL.parse(address, server)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return el('span')
  const image = el('img', { class: 'pic', alt: name, loading: 'lazy', referrerpolicy: 'no-referrer' })
  const show = (): void => void (image.src = url.href)
  if (url.origin === new URL(server).origin) {
    show()
    return image
  }
  const offer = el(
    'button',
    {
      type: 'button',
      class: 'link pad',
      click() {
        show()
        offer.replaceWith(image)
      },
    },
    lineIcon('eye'),
    ` ${words.image} ${url.host}`,
  )
  return offer
}
