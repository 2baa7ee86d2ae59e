import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Composer } from './composer.js'
import { Icon } from './icons.js'
import { Pending, Turns } from './turns.js'
import { timeOfDay, useView } from './view.js'

/** The open chat. */
export function Panel({ close }: { close: () => void }) {
  const { talk, words, language } = useView()
  const [text, setText] = useState(() => talk.storage.read<string>('draft') ?? '')
  const box = useRef<HTMLTextAreaElement>(null)
  const { settings, fault, offlineSince } = talk
  const title = settings?.looks.title ?? words.title
  const edit = (again: string): void => {
    setText(text === '' ? again : `${again}\n${text}`)
    box.current?.focus()
  }
  useEffect(() => box.current?.focus(), [])
  useVisualViewport(box)
  return (
    <section
      class="w"
      role="dialog"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return
        event.stopPropagation()
        close()
      }}
    >
      <div class="head">
        <span class="av big" aria-hidden="true">
          <Icon name="chat" />
          {settings?.online && <span class="dot" />}
        </span>
        <div class="grow">
          <h2>
            <bdi>{title}</bdi>
          </h2>
          <p class="mute">{stateOf()}</p>
        </div>
        <button type="button" class="btn" aria-label={words.close} onClick={close}>
          <Icon name="down" />
        </button>
      </div>
      <div role="status">
        {offlineSince !== null && (
          <p class="band">
            <b>
              <Icon name="off" /> {words.offlineSince(timeOfDay(offlineSince, language))}
            </b>
            <span>{words.offlineHelp}</span>
          </p>
        )}
      </div>
      {fault ? (
        <div class="fault" role="alert">
          <p class="b">
            <Icon name="alert" /> {words[fault.is]}
          </p>
          <p class="mute">
            {words.setUp} <bdi lang="en">{fault.message}</bdi>
          </p>
        </div>
      ) : (
        <Log edit={edit} />
      )}
      <Composer text={text} setText={setText} box={box} />
      <p class="by">{words.by}</p>
    </section>
  )

  function stateOf(): string {
    if (fault) return ''
    if (offlineSince !== null) return words.offline
    if (!settings) return words.connecting
    return settings.online ? words.online : ''
  }
}

function Log({ edit }: { edit: (text: string) => void }) {
  const { talk, words } = useView()
  const { settings, messages, pending, typing, isOver, earlier } = talk
  const log = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const last = `${messages.at(-1)?.id} ${pending.at(-1)?.id} ${typing}`
  useLayoutEffect(() => {
    const { current } = log
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight
  }, [last, settings])
  useEffect(() => {
    const { current } = log
    if (!current) return
    // What comes late, such as an image, does not push the newest out of sight.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) current.scrollTop = current.scrollHeight
    })
    for (const child of [current, ...current.children]) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      class="log"
      ref={log}
      role="log"
      aria-label={words.messages}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40
      }}
    >
      <div class="turns">
        {earlier !== null && (
          <button type="button" class="link earlier" onClick={() => void talk.loadEarlier()}>
            {words.earlier}
          </button>
        )}
        {settings?.greeting && (
          <div class="turn" dir="auto">
            <div class="bub greet">{settings.greeting}</div>
          </div>
        )}
        {settings && !settings.online && messages.length === 0 && <p class="sys">{words.away}</p>}
        <Turns />
        {isOver && <p class="sys">{words.over}</p>}
        {pending.map((outgoing) => (
          <Pending key={outgoing.id} outgoing={outgoing} edit={edit} />
        ))}
        {!talk.storage.isKept && pending.length > 0 && <p class="sys">{words.notKept}</p>}
        {typing !== null && (
          <p class="typing">
            <i aria-hidden="true">
              <span />
            </i>
            <bdi>{words.typing(typing || words.agent)}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}

/** On a telephone the keyboard covers a part of the page: what is left is the chat's. */
function useVisualViewport(box: { current: HTMLElement | null }): void {
  useEffect(() => {
    const { visualViewport } = window
    const fit = (): void => {
      const panel = box.current?.closest<HTMLElement>('.w')
      panel?.style.setProperty('--height', `${visualViewport!.height}px`)
      panel?.style.setProperty('--top', `${visualViewport!.offsetTop}px`)
    }
    visualViewport?.addEventListener('resize', fit)
    visualViewport?.addEventListener('scroll', fit)
    return () => {
      visualViewport?.removeEventListener('resize', fit)
      visualViewport?.removeEventListener('scroll', fit)
    }
  }, [box])
}
