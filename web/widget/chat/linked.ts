import { linksIn } from '../../shared/links.js'
import { el } from './dom.js'

/** Makes links of the addresses in a plain text that is shown. */
export function linked(body: HTMLElement): void {
  const bubble = body.firstElementChild
  bubble?.replaceChildren(
    ...linksIn(bubble.textContent).map(({ text, href }) =>
      href ? el('a', { href, target: '_blank', rel: 'noreferrer noopener' }, text) : text,
    ),
  )
}
