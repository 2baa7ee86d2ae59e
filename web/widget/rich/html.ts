import { createHtmlPolicy, rebuildHtml, type HtmlPolicy } from '../../shared/ui/rebuild-html.js'
import { el } from '../chat/dom.js'
import type { View } from '../chat/view.js'
import { pictureOf } from './picture.js'

/** Null where the page's Trusted Types allow no policy of ours: HTML is then shown as its text. */
const policy = ((): HtmlPolicy | null => {
  try {
    return createHtmlPolicy('switchboard')
  } catch {
    return null
  }
})()

/** Rebuilt from the list of 2.10, as the console does. */
export function htmlOf(view: View, html: string): HTMLElement {
  const children = policy
    ? rebuildHtml<Element>(html, policy, {
        element: (tag, attributes, inner) => el(tag as 'p', attributes, ...inner),
        picture: (address) => pictureOf(view, address),
      })
    : [html.replaceAll(/<[^>]*>/g, ' ')]
  return el('div', { class: 'rich', dir: 'auto' }, ...children)
}
