import { createElement, type VNode } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../i18n/messages.js'
import { Icon } from './icon.js'
import { createHtmlPolicy, rebuildHtml, type Maker } from './rebuild-html.js'

const policy = createHtmlPolicy('html')

const maker: Maker<VNode> = {
  element: (tag, attributes, children) => createElement(tag, attributes, ...children),
  picture: (address) => <Picture address={address} />,
}

/** HTML of a message (2.10). */
export function Html({ html }: { html: string }) {
  return (
    <div class="rich" dir="auto">
      {rebuildHtml(html, policy, maker)}
    </div>
  )
}

/** An external image would reveal the reader to its server: it waits for a click. */
function Picture({ address }: { address: string }) {
  const [isShown, setShown] = useState(false)
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null
  if (url.origin === location.origin || isShown)
    return <img src={url.href} alt="" loading="lazy" referrerpolicy="no-referrer" />
  return (
    <button type="button" class="btn small" onClick={() => setShown(true)}>
      <Icon name="eye" size="s" />
      {t().thread.foreignImage} {url.host}
    </button>
  )
}
