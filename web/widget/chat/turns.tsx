import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Outgoing } from '../talk/outbox.js'
import type { TalkMessage } from '../talk/thread.js'
import { Buttons } from './buttons.js'
import { Icon } from './icons.js'
import { dayOf, isRich, isShown, timeOfDay, useView } from './view.js'

/** Messages of one sender that follow each other within this stand under one name. */
const TURN_MS = 300_000

/** What was said, by whom and when. */
export function Turns() {
  const view = useView()
  const shown = view.talk.messages.filter(isShown)
  return (
    <>
      {shown.map((message, index) => {
        const before = shown[index - 1]
        const day = dayOf(message.createdAt, view)
        const isNewDay = before ? dayOf(before.createdAt, view) !== day : day !== view.words.today
        return (
          <>
            {isNewDay && (
              <p class="day" key={`day ${message.id}`}>
                {day}
              </p>
            )}
            <Turn
              key={message.id}
              message={message}
              goesOn={!isNewDay && isSameTurn(before, message)}
              isLast={index === shown.length - 1}
            />
          </>
        )
      })}
    </>
  )
}

function Turn({ message, goesOn, isLast }: { message: TalkMessage; goesOn: boolean; isLast: boolean }) {
  const { words, language } = useView()
  const isOwn = message.role === 'CONTACT'
  const name = isOwn ? words.you : (message.user?.displayName ?? words.agent)
  const time = <time dateTime={message.createdAt}>{timeOfDay(message.createdAt, language)}</time>
  return (
    <article class={`turn${isOwn ? ' us' : ''}${goesOn ? ' on' : ''}`} aria-label={name}>
      {!isOwn && !goesOn && (
        <p class="who">
          <span class="av" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <b>
            <bdi>{name}</bdi>
          </b>
          {time}
        </p>
      )}
      <Body message={message} />
      {isOwn && isLast && (
        <p class="sent">
          <Icon name="check" small />
          {words.sent} {time}
        </p>
      )}
    </article>
  )
}

function Body({ message }: { message: TalkMessage }) {
  if (isRich(message)) return <Rich message={message} />
  const text = message.type === 'POSTBACK' ? message.actions?.[0]?.text : message.text
  return (
    <>
      {text && (
        <div class="bub" dir="auto">
          {text}
        </div>
      )}
      <Buttons message={message} />
    </>
  )
}

type Content = FunctionComponent<{ message: TalkMessage }>

let loaded: Content | null = null

/** Comes with the second chunk, when a message first needs it. */
function Rich({ message }: { message: TalkMessage }) {
  const [RichContent, setContent] = useState<Content | null>(() => loaded)
  useEffect(() => {
    if (RichContent) return
    let isGone = false
    const load = (): void => {
      void import('../rich/content.js').then(
        ({ RichContent: content }) => {
          loaded = content
          if (!isGone) setContent(() => content)
        },
        () => setTimeout(() => !isGone && load(), 5_000),
      )
    }
    load()
    return () => {
      isGone = true
    }
  }, [RichContent])
  return RichContent ? <RichContent message={message} /> : <div class="bub">…</div>
}

/** A message on its way: it waits for the connection, or for the visitor. */
export function Pending({ outgoing, edit }: { outgoing: Outgoing; edit: (text: string) => void }) {
  const { talk, words } = useView()
  const { id, message, refusal } = outgoing
  const text = message.text ?? String(message.meta?.fileName ?? '')
  const take = (): void => {
    talk.takeBack(id)
    edit(text)
  }
  return (
    <article class="turn us" aria-label={words.you}>
      <div class={`bub ${refusal === undefined ? 'waits' : 'fail'}`} dir="auto">
        {text}
      </div>
      {refusal === undefined ? (
        <p class="sent">
          <Icon name="clock" small />
          {talk.offlineSince === null ? words.sending : words.waits}
        </p>
      ) : (
        <div class="sent bad" role="alert">
          <p>
            <Icon name="alert" small />
            {words.notSent}: <bdi>{refusal}</bdi>
          </p>
          <button type="button" class="link" onClick={take}>
            {words.edit}
          </button>
          <button type="button" class="link" onClick={() => talk.sendAgain(id)}>
            {words.again}
          </button>
        </div>
      )}
    </article>
  )
}

function isSameTurn(before: TalkMessage | undefined, { role, user, createdAt }: TalkMessage): boolean {
  if (!before || before.role !== role || before.user?.displayName !== user?.displayName) return false
  return Date.parse(createdAt) - Date.parse(before.createdAt) < TURN_MS
}

/** At most two letters. */
function initialsOf(name: string): string {
  const words = name.split(/[\s\p{P}]+/u).filter(Boolean)
  const [first = '?', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words
  return ([...first][0]! + ([...last][0] ?? '')).toLocaleUpperCase()
}
