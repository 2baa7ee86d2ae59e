import type { Outgoing } from '../talk/outbox.js'
import type { TalkMessage } from '../talk/thread.js'
import { bdi, el, icon } from './dom.js'
import { arrange, type Row } from './rows.js'
import { dayOf, isRich, isShown, timeOfDay, type View } from './view.js'

/** Messages of one sender that follow each other within this stand under one name. */
const TURN_MS = 300_000
const AGAIN_MS = 5_000

/** A message in the thread, or the name of the day that begins with the next. */
export type Part =
  | { key: string; day: string }
  | { key: string; day?: undefined; message: TalkMessage; goesOn: boolean; isLast: boolean }

/** The messages, with their days. */
export function partsOf(view: View): Part[] {
  const shown = view.talk.thread.messages.filter(isShown)
  return shown.flatMap((message, index) => {
    const before = shown[index - 1]
    const day = dayOf(message.createdAt, view)
    const isNewDay = before ? dayOf(before.createdAt, view) !== day : day !== view.words.today
    const goesOn = !isNewDay && isSameTurn(before, message)
    const turn: Part = { key: message.id, message, goesOn, isLast: index === shown.length - 1 }
    return isNewDay ? [{ key: `day ${message.id}`, day }, turn] : [turn]
  })
}

export function partRow(view: View, part: Part): Row<Part> {
  if (part.day !== undefined) return { element: el('p', { class: 'day' }, part.day) }
  const { words } = view
  const { message } = part
  const isOwn = message.role === 'CONTACT'
  const name = isOwn ? words.you : (message.user?.displayName ?? words.agent)
  const time = (): Element => el('time', { datetime: message.createdAt }, timeOfDay(message.createdAt, view))
  const who = el(
    'p',
    { class: 'who' },
    el('span', { class: 'av', 'aria-hidden': 'true' }, initialsOf(name)),
    el('b', {}, bdi(name)),
    message.isAutomated ? el('span', { class: 'auto' }, words.automated) : '',
    time(),
  )
  const state = el('span')
  const sent = el('p', { class: 'sent' }, icon('check', true), state, ' ', time())
  const edited = el('p', { class: 'sent' }, words.edited)
  const disclosure = el('p', { class: 'bub', dir: 'auto' }, message.disclosure ?? '')
  const body = el('div', { class: 'said' })
  const element = el('article', { 'aria-label': name })
  const content = contentOf(view, message, body)
  return {
    element,
    removed: content.removed,
    update(now) {
      if (now.day !== undefined) return
      const said = view.talk.thread.isSeen(now.message) ? words.seen : words.sent
      if (state.textContent !== said) state.textContent = said
      element.className = `turn${isOwn ? ' us' : ''}${now.goesOn ? ' on' : ''}`
      arrange(element, [
        !isOwn && !now.goesOn && who,
        message.disclosure !== null && disclosure,
        body,
        now.message.editedAt !== null && edited,
        isOwn && now.isLast && sent,
      ])
      content.update(now.message)
    },
  }
}

interface Content {
  update(message: TalkMessage): void
  removed(): void
}

/** A text at once; what is more comes with the second chunk, when a message first needs it, and keeps itself up. */
function contentOf(view: View, first: TalkMessage, body: HTMLElement): Content {
  let shown: TalkMessage | null = null
  let rich: Promise<() => void> | null = null
  const plain = (text: string | null | undefined): void =>
    body.replaceChildren(...(text ? [el('div', { class: 'bub', dir: 'auto' }, text)] : []))
  const load = async (): Promise<() => void> => {
    for (;;) {
      const loaded = await import('../rich/rich.js').catch(() => null)
      if (loaded) return loaded.showRich(view, first.id, body)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
  return {
    update(message) {
      if (rich || message === shown) return
      shown = message
      if (!isRich(message)) {
        const text = message.type === 'POSTBACK' ? message.actions?.[0]?.text : message.text
        plain(text)
        // Loaded for those that have an address: most have none.
        if (/:\/\/|www|@|\+\d/.test(text ?? ''))
          void import('./linked.js').then(
            ({ linked }) => linked(body),
            () => undefined,
          )
        return
      }
      plain('…')
      rich = load()
    },
    removed() {
      void rich?.then((stop) => stop())
    },
  }
}

/** A message on its way: it waits for the connection, or for the visitor. */
export function pendingRow(
  view: View,
  { id, messages: [message] }: Outgoing,
  edit: (text: string) => void,
): Row<Outgoing> {
  const { talk, words } = view
  const text = message?.text ?? String(message?.meta?.fileName ?? '')
  const bubble = el('div', { dir: 'auto' }, text)
  const state = el('div', {})
  const take = (): void => {
    talk.takeBack(id)
    edit(text)
  }
  let shown = ''
  return {
    element: el('article', { class: 'turn us', 'aria-label': words.you }, bubble, state),
    update({ refusal }) {
      const said = refusal?.message ?? (talk.offlineSince === null ? words.sending : words.waits)
      if (said === shown) return
      shown = said
      bubble.className = `bub ${refusal ? 'fail' : 'waits'}`
      state.className = refusal ? 'sent bad' : 'sent'
      if (!refusal) return state.replaceChildren(icon('clock', true), said)
      state.role = 'alert'
      state.replaceChildren(
        el('p', {}, icon('alert', true), `${words.notSent}: `, bdi(said)),
        el('button', { type: 'button', class: 'link', click: take }, words.edit),
        el('button', { type: 'button', class: 'link', click: () => talk.sendAgain(id) }, words.again),
      )
    },
  }
}

function isSameTurn(before: TalkMessage | undefined, { role, user, createdAt }: TalkMessage): boolean {
  if (!before || before.role !== role || before.user?.displayName !== user?.displayName) return false
  return Date.parse(createdAt) - Date.parse(before.createdAt) < TURN_MS
}

/** At most two letters. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s\p{P}]+/u).filter(Boolean)
  const [first = '?', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words
  return ([...first][0]! + ([...last][0] ?? '')).toLocaleUpperCase()
}
