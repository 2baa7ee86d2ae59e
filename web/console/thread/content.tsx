import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { fileSize } from '../../shared/i18n/format.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Html } from '../../shared/ui/html.js'
import { Icon } from '../../shared/ui/icon.js'
import { LinkedText } from '../../shared/ui/linked-text.js'

interface ContentProps {
  message: ThreadMessage
  isNote?: boolean | undefined
}

/** Tells whether a message has cards or buttons, or is a page or the results of a form: then `RichContent` shows it. */
export function isRich(message: ThreadMessage): boolean {
  const { type, items, actions, contentType } = message
  if (type === 'POSTBACK') return false
  return (
    isCard(message) || type === 'RESULTS' || contentType === 'TEXT_URL' || Boolean(items?.length || actions?.length)
  )
}

/** A card holds its buttons. */
export function isCard({ type, attachment, meta }: ThreadMessage): boolean {
  return type === 'CARD' && !attachment && !(meta && 'fileId' in meta)
}

/** A message as the consumer sees it, without cards and buttons: text, HTML, an image, a file. */
export function Content({ message, isNote }: ContentProps) {
  // A click on a reply: what stood on the button, which is not to be pressed again (2.10).
  if (message.type === 'POSTBACK') return <Bubble text={message.actions?.[0]?.text ?? message.text ?? ''} />
  const { contentType, text, attachment, meta } = message
  if (attachment) return <File file={attachment} title={textOf(meta, 'title')} />
  if (meta && 'fileId' in meta) return <p class="bub mute">{t().thread.fileGone}</p>
  if (!text) return null
  if (contentType === 'TEXT_HTML')
    return (
      <div class={isNote ? '' : 'bub html'}>
        <Html html={text} />
      </div>
    )
  if (contentType !== 'TEXT_PLAIN') return <Image url={text} name={textOf(meta, 'title') ?? ''} />
  return isNote ? (
    <p class="said" dir="auto">
      <LinkedText text={text} />
    </p>
  ) : (
    <Bubble text={text} />
  )
}

function Bubble({ text }: { text: string }) {
  return (
    <div class="bub" dir="auto">
      <LinkedText text={text} />
    </div>
  )
}

/** Shows images of this server; an external image would reveal the reader to its server, so it waits for a click. */
export function Image({ url, name }: { url: string; name: string }) {
  const [isShown, setShown] = useState(false)
  const parsed = URL.parse(url, location.origin)
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    return (
      <p class="bub" dir="auto">
        {url}
      </p>
    )
  if (parsed.origin === location.origin || isShown) {
    return <img class="pic" src={parsed.href} alt={name} loading="lazy" referrerpolicy="no-referrer" />
  }
  return (
    <button class="btn small" onClick={() => setShown(true)}>
      <Icon name="eye" size="s" />
      {t().thread.foreignImage} {parsed.host}
    </button>
  )
}

function File({ file, title }: { file: NonNullable<ThreadMessage['attachment']>; title: string | null }) {
  const name = title ?? file.fileName
  const address = ownAddress(file.url)
  return (
    <div class="card">
      {file.fileType.startsWith('image/') && <img class="pic" src={address} alt={name} loading="lazy" />}
      <a class="file in-card" href={address} target="_blank" rel="noreferrer" download={file.fileName}>
        <Icon name="file" />
        <span class="cut">
          <bdi>{name}</bdi>
        </span>
        <span class="mute t2">{fileSize(file.size)}</span>
      </a>
    </div>
  )
}

/** An attachment's address names the server's public host; the page may have been opened under another name of it. */
function ownAddress(url: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  return pathname.startsWith('/v2/attachments/') ? pathname + search : url
}

/** A text among the metadata. */
export function textOf(meta: ThreadMessage['meta'], key: string): string | null {
  const value = meta?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}
