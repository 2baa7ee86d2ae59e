import { useState } from 'preact/hooks'
import { t } from '../i18n/messages.js'
import { fileSize } from '../i18n/format.js'
import type { Button, ThreadMessage } from '../live/thread.js'
import { Html } from './html.js'
import { Icon } from './icon.js'
import { LinkedText } from './linked-text.js'
import { PageFrame } from './page-frame.js'

/** One message as the consumer sees it: text, HTML, an image, a page, a card, a file, with its buttons. */
export function Content({ message, isNote }: { message: ThreadMessage; isNote?: boolean }) {
  const { type, items, actions, text } = message
  // A click on a reply: what stood on the button, which is not to be pressed again (2.10).
  if (type === 'POSTBACK') return <Bubble text={actions?.[0]?.text ?? text ?? ''} />
  return (
    <>
      <Body message={message} isNote={isNote} />
      {items?.map((item, index) => (
        <div class="card" key={index}>
          {item.mediaUrl && item.mediaType?.startsWith('image/') !== false && (
            <Image url={item.mediaUrl} name={item.title ?? ''} />
          )}
          <div class="in-card">
            {item.title && (
              <p class="b" dir="auto">
                {item.title}
              </p>
            )}
            {item.description && (
              <p class="mid" dir="auto">
                {item.description}
              </p>
            )}
            <Buttons buttons={item.actions} />
          </div>
        </div>
      ))}
      {!isCard(message) && <Buttons buttons={actions} />}
    </>
  )
}

/** A card holds its buttons. */
function isCard({ type, attachment, meta }: ThreadMessage): boolean {
  return type === 'CARD' && !attachment && !(meta && 'fileId' in meta)
}

function Body({ message, isNote }: { message: ThreadMessage; isNote?: boolean }) {
  const { type, contentType, text, attachment, meta, results } = message
  if (attachment) return <File file={attachment} title={textOf(meta, 'title')} />
  if (meta && 'fileId' in meta) return <p class="bub mute">{t().thread.fileGone}</p>
  if (type === 'CARD') return <Card message={message} />
  if (type === 'RESULTS') return <Results results={results ?? []} />
  if (!text) return null
  if (contentType === 'TEXT_HTML')
    return (
      <div class={isNote ? '' : 'bub html'}>
        <Html html={text} />
      </div>
    )
  if (contentType === 'TEXT_URL') return <PageFrame address={text} />
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

function Card({ message: { text, contentType, meta, actions } }: { message: ThreadMessage }) {
  const title = textOf(meta, 'title')
  return (
    <div class="card">
      <div class="in-card">
        {title && (
          <p class="b" dir="auto">
            {title}
          </p>
        )}
        {text &&
          (contentType === 'TEXT_HTML' ? (
            <Html html={text} />
          ) : (
            <p class="said" dir="auto">
              <LinkedText text={text} />
            </p>
          ))}
        <Buttons buttons={actions} />
      </div>
    </div>
  )
}

/** Shown as the consumer sees them. Links work; the rest is the consumer's to click. */
function Buttons({ buttons }: { buttons: readonly Button[] | null }) {
  if (!buttons || buttons.length === 0) return null
  return (
    <div class="choices">
      {buttons.map((button, index) => {
        const to = button.type === 'LINK' || button.type === 'WEBVIEW' ? safeLink(button.uri ?? button.fallback) : null
        return to ? (
          <a key={index} class="choice" href={to.href} target={to.isOwn ? undefined : '_blank'} rel="noreferrer">
            {button.text}
          </a>
        ) : (
          <span key={index} class="choice">
            {button.text}
          </span>
        )
      })}
    </div>
  )
}

/** A link to this server opens in this tab, another in a new one (2.10); anything but the web and mail is none. */
function safeLink(uri: string | null): { href: string; isOwn: boolean } | null {
  const url = uri === null ? null : URL.parse(uri)
  if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return null
  return { href: url.href, isOwn: url.origin === location.origin }
}

/** Shows images of this server; an external image would reveal the reader to its server, so it waits for a click. */
function Image({ url, name }: { url: string; name: string }) {
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

function Results({ results }: { results: NonNullable<ThreadMessage['results']> }) {
  return (
    <>
      {results.map(({ name, values }, index) => (
        <div class="card" key={index}>
          <div class="in-card">
            <p class="line tight b">
              <Icon name="form" size="s" />
              {name}
            </p>
            <dl class="facts">
              {Object.entries(values).map(([key, value]) => (
                <>
                  <dt>
                    <bdi>{key}</bdi>
                  </dt>
                  <dd dir="auto">{Array.isArray(value) ? value.join(', ') : String(value)}</dd>
                </>
              ))}
            </dl>
          </div>
        </div>
      ))}
    </>
  )
}

function textOf(meta: ThreadMessage['meta'], key: string): string | null {
  const value = meta?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}
