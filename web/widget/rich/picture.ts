import { el } from '../chat/dom.js'
import type { View } from '../chat/view.js'
import { lineIcon } from './line-icon.js'

/** Shows images of this server; an external image would reveal the reader to its server, so it waits for a tap. */
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
