import type { Button, ThreadMessage } from '../../shared/live/thread.js'
import { Html } from '../../shared/ui/html.js'
import { Icon } from '../../shared/ui/icon.js'
import { LinkedText } from '../../shared/ui/linked-text.js'
import { Content, Image, isCard, isRich, textOf } from './content.js'
import { PageFrame } from './page-frame.js'

interface RichProps {
  message: ThreadMessage
  isNote?: boolean | undefined
}

/** A message as the consumer sees it, with its cards and buttons; also a page, and the results of a form. */
export function RichContent({ message, isNote }: RichProps) {
  if (!isRich(message)) return <Content message={message} isNote={isNote} />
  const { items, actions } = message
  return (
    <>
      <RichBody message={message} isNote={isNote} />
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

function RichBody({ message, isNote }: RichProps) {
  const { type, contentType, text, results } = message
  if (isCard(message)) return <Card message={message} />
  if (type === 'RESULTS') return <Results results={results ?? []} />
  if (contentType === 'TEXT_URL' && text) return <PageFrame address={text} />
  return <Content message={message} isNote={isNote} />
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
