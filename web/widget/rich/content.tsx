import { useState } from 'preact/hooks'
import { createHtmlPolicy, rebuildHtml, type HtmlPolicy } from '../../shared/ui/rebuild-html.js'
import { Buttons } from '../chat/buttons.js'
import { Icon } from '../chat/icons.js'
import { safeLink, useView } from '../chat/view.js'
import type { TalkMessage } from '../talk/thread.js'

/** Null where the page's Trusted Types allow no policy of ours: HTML is then shown as its text. */
const policy = ((): HtmlPolicy | null => {
  try {
    return createHtmlPolicy('switchboard')
  } catch {
    return null
  }
})()

/** A message that is more than a text: HTML, an image, a page, a card, a file, a form. */
export function RichContent({ message }: { message: TalkMessage }) {
  return (
    <>
      <Body message={message} />
      {message.items?.map(({ title, description, mediaUrl, mediaType }, index) => (
        <div class="card" key={index}>
          {mediaUrl && mediaType?.startsWith('image/') !== false && <Picture address={mediaUrl} name={title ?? ''} />}
          <div class="in-card">
            {title && (
              <p class="b" dir="auto">
                {title}
              </p>
            )}
            {description && (
              <p class="mute said" dir="auto">
                {description}
              </p>
            )}
            <Buttons message={message} item={index} />
          </div>
        </div>
      ))}
      <Buttons message={message} />
    </>
  )
}

function Body({ message }: { message: TalkMessage }) {
  const { words } = useView()
  const { type, contentType, text, attachment, meta } = message
  if (attachment) return <File file={attachment} title={textOf(meta?.title)} />
  if (textOf(meta?.fileId)) return <p class="bub">{words.fileGone}</p>
  if (type === 'CARD') return <Card message={message} />
  if (!text) return null
  if (contentType === 'TEXT_HTML') {
    return (
      <div class="bub html">
        <Html html={text} />
      </div>
    )
  }
  if (contentType === 'TEXT_URL') return <Page address={text} />
  if (contentType !== 'TEXT_PLAIN') return <Picture address={text} name={textOf(meta?.title) ?? ''} />
  return (
    <div class="bub" dir="auto">
      {text}
    </div>
  )
}

function Card({ message: { text, contentType, meta } }: { message: TalkMessage }) {
  const title = textOf(meta?.title)
  return (
    <div class="card">
      <div class="in-card">
        {title && (
          <p class="b" dir="auto">
            {title}
          </p>
        )}
        {text && contentType === 'TEXT_HTML' && <Html html={text} />}
        {text && contentType !== 'TEXT_HTML' && (
          <p class="said" dir="auto">
            {text}
          </p>
        )}
      </div>
    </div>
  )
}

/** Rebuilt from the list of 2.10, as the console does. */
function Html({ html }: { html: string }) {
  return (
    <div class="rich" dir="auto">
      {policy ? rebuildHtml(html, policy, Picture) : html.replaceAll(/<[^>]*>/g, ' ')}
    </div>
  )
}

/** The agents' console frames it; here it is a link, since a page seldom allows frames of others. */
function Page({ address }: { address: string }) {
  const { words } = useView()
  const href = safeLink(address)
  if (!href?.startsWith('http'))
    return (
      <p class="bub" dir="auto">
        {address}
      </p>
    )
  return (
    <div class="card">
      <div class="in-card">
        <p class="mute" dir="ltr">
          {new URL(href).host}
        </p>
        <a class="choice" href={href} target="_blank" rel="noreferrer">
          {words.openPage}
        </a>
      </div>
    </div>
  )
}

/** An image of the server is shown; one of elsewhere tells its owner who looks, so it waits for a tap. */
function Picture({ address, name = '' }: { address: string; name?: string }) {
  const { words, server } = useView()
  const [isShown, setShown] = useState(false)
  const url = URL.parse(address, server)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null
  if (url.origin === new URL(server).origin || isShown) {
    return <img class="pic" src={url.href} alt={name} loading="lazy" referrerpolicy="no-referrer" />
  }
  return (
    <button type="button" class="link pad" onClick={() => setShown(true)}>
      <Icon name="eye" small /> {words.image} {url.host}
    </button>
  )
}

function File({ file, title }: { file: NonNullable<TalkMessage['attachment']>; title: string | null }) {
  const { fileName, fileType, size } = file
  const href = safeLink(file.url)
  const name = title ?? fileName
  return (
    <div class="card">
      {fileType.startsWith('image/') && <Picture address={file.url} name={name} />}
      <a class="file in-card" href={href ?? undefined} target="_blank" rel="noreferrer" download={fileName}>
        <Icon name="file" />
        <span class="grow">
          <span class="b">
            <bdi>{name}</bdi>
          </span>
          <br />
          <span class="mute">{sizeOf(size)}</span>
        </span>
      </a>
    </div>
  )
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${Math.round(bytes / 100_000) / 10} MB`
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
