import { t } from '../../shared/i18n/messages.js'

/**
 * A page of elsewhere (`text/url`, 2.10): no plugins, no autoplay, no pointer lock, no top navigation, no popups. Never
 * one of our own origin: with `allow-same-origin` and scripts it could lift its own sandbox.
 */
export function PageFrame({ address }: { address: string }) {
  const url = URL.parse(address.trim())
  const isFramable =
    url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.host !== location.host
  if (!isFramable) {
    return (
      <div class="bub" dir="auto">
        {address}
        <p class="hint">{t().thread.badPage}</p>
      </div>
    )
  }
  return (
    <iframe
      class="page-frame"
      title={t().thread.pageFrame(url.host)}
      sandbox="allow-same-origin allow-forms allow-scripts"
      referrerpolicy="no-referrer"
      allow="autoplay 'none'"
      loading="lazy"
      src={url.href}
    />
  )
}
