import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { TimelineKind } from '../../generated/contacts.js'
import { dayKey, dayName, shortTime, timeOfDay } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import { Icon } from '../../shared/ui/icon.js'
import { LabelChips } from '../labels/label-chips.js'
import { threadPath } from '../route.js'
import { useStore } from '../store/console-store.js'
import { NotLoaded } from './not-loaded.js'
import { NoteBox } from './note-box.js'
import { Note } from './note.js'
import { scoreText } from './score-text.js'
import { left, useTimeline, type Entry } from './use-timeline.js'
import { words } from './words.js'

const SHOWN: Readonly<Record<'all' | 'conversations' | 'notes' | 'changes', TimelineKind[] | null>> = {
  all: null,
  conversations: ['BEGUN', 'CLOSED', 'REOPENED', 'FORM', 'RATING'],
  notes: ['NOTE'],
  changes: ['CHANGE', 'MERGE'],
}
type Filter = keyof typeof SHOWN
const FILTERS = Object.keys(SHOWN) as Filter[]

/** Kept with the entry of the browser's history, so that its Back finds what was left, and nothing else does. */
interface Place {
  timeline: string
  filter: Filter
}
const placeOf = (): Partial<Place> => (history.state ?? {}) as Partial<Place>

/** History of a contact by day, newest first, and a box for a note. */
export function Timeline({ contact }: { contact: string }) {
  const { now } = useStore()
  const [back] = useState(() => (placeOf().timeline === contact && left.of === contact ? left : null))
  const [filter, choose] = useState<Filter>(() => (back && placeOf().filter) || 'all')
  const { shown, error, more, isLoading, refresh } = useTimeline(contact, SHOWN[filter], back?.shown ?? null)
  const root = useRef<HTMLElement | null>(null)
  const end = useRef<HTMLButtonElement>(null)
  const scrolled = (): HTMLElement | null => root.current?.closest<HTMLElement>('.scroll') ?? null

  // Before it is painted.
  const drawn = useCallback((section: HTMLElement | null) => {
    const isFirst = root.current === null
    root.current = section
    const box = scrolled()
    if (!back || !box || !isFirst) return
    box.scrollTop = back.top
    section!.querySelector<HTMLElement>(`[data-entry="${back.key}"]`)?.focus({ preventScroll: true })
  }, [])
  // Two screens ahead, so that whoever scrolls does not wait.
  useEffect(() => {
    if (!end.current || !more) return undefined
    const ahead = new IntersectionObserver(([seen]) => seen!.isIntersecting && !error && more(), {
      root: scrolled(),
      rootMargin: '0px 0px 200%',
    })
    ahead.observe(end.current)
    return () => ahead.disconnect()
  }, [more === undefined, shown?.cursor, isLoading, error])

  const leave = (key: string): void => {
    if (!shown) return
    Object.assign(left, { of: contact, shown, top: scrolled()?.scrollTop ?? 0, key })
    history.replaceState({ timeline: contact, filter } satisfies Place, '')
  }
  return (
    <section class="stack" aria-label={words.timeline} ref={drawn} tabIndex={-1} data-timeline>
      <div class="line">
        <h2>{words.timeline}</h2>
        <fieldset class="seg push">
          <legend class="vh">{words.show}</legend>
          {FILTERS.map((each) => (
            <label key={each}>
              <input type="radio" name="timeline" checked={each === filter} onChange={() => choose(each)} />
              {words.filters[each]}
            </label>
          ))}
        </fieldset>
      </div>
      <NoteBox contact={contact} added={refresh} />
      {error && <NotLoaded error={error} again={shown?.cursor && more ? more : refresh} />}
      {shown?.entries.length === 0 && <p class="mid">{filter === 'all' ? words.nothing : words.nothingOfThis}</p>}
      {days(shown?.entries ?? []).map((entries) => (
        <section class="tl" key={dayKey(entries[0]!.at)} aria-label={dayName(entries[0]!.at, now.value)}>
          <h3>{dayName(entries[0]!.at, now.value)}</h3>
          <ul role="list">
            {entries.map((entry) => (
              <Line key={entry.key} entry={entry} contact={contact} leave={leave} changed={refresh} />
            ))}
          </ul>
        </section>
      ))}
      {more && (
        <button class="btn fit" ref={end} aria-disabled={isLoading} onClick={more}>
          {words.earlier}
        </button>
      )}
    </section>
  )
}

function days(entries: readonly Entry[]): Entry[][] {
  return [...Map.groupBy(entries, ({ at }) => dayKey(at)).values()]
}

interface LineProps {
  entry: Entry
  contact: string
  leave(key: string): void
  changed(): void
}

const ICONS: Readonly<Record<TimelineKind, string>> = {
  BEGUN: 'chat',
  CLOSED: 'check',
  REOPENED: 'undo',
  NOTE: 'lock',
  MERGE: 'merge',
  FORM: 'form',
  RATING: 'read',
  CHANGE: 'edit',
}

function Line({ entry, contact, leave, changed }: LineProps) {
  const { kind, at, touchpoint, contactId } = entry
  const isOther = contactId !== contact
  return (
    <li class={kind === 'BEGUN' || kind === 'NOTE' ? 'ev' : 'ev small'}>
      <span class="mark">
        <Icon name={kind === 'BEGUN' && touchpoint ? TOUCHPOINT_TRAITS[touchpoint].icon : ICONS[kind]} />
      </span>
      <div>
        <Said entry={entry} leave={leave} changed={changed} />
        {isOther && kind !== 'MERGE' && (
          <span class="mute t2">
            {' '}
            {words.asOther} <bdi>{entry.contact?.profile.name ?? t().list.anonymous}</bdi>
          </span>
        )}
      </div>
      <time dateTime={at}>{timeOfDay(at)}</time>
    </li>
  )
}

function Said({ entry, leave, changed }: Omit<LineProps, 'contact'>) {
  const { now } = useStore()
  const { kind, key, users, channels, conversation, conversationId, note, form, rating, fields, into, intoId } = entry
  const who = users.map(({ displayName }) => displayName).join(', ')
  const open = (name: string, id: string | null) =>
    id ? (
      <a href={threadPath(id)} data-entry={key} onClick={() => leave(key)}>
        <bdi>{name}</bdi>
      </a>
    ) : (
      <bdi>{name}</bdi>
    )
  const name = conversation?.name ?? words.deletedConversation
  const link = open(name, conversation && conversationId)
  const beside = [who, channels.map((each) => each.name).join(', ')].filter(Boolean).join(' · ')
  const with_ = beside && <bdi class="mute t2"> {beside}</bdi>
  switch (kind) {
    case 'NOTE':
      return note && <Note note={note} changed={changed} />
    case 'BEGUN':
      return (
        <a class="card" href={threadPath(conversationId!)} data-entry={key} onClick={() => leave(key)}>
          <span class="line tight">
            <bdi class="b cut">{name}</bdi>
            {conversation && <span class="tag">{t().thread.status[conversation.status]}</span>}
            <LabelChips labels={conversation?.labels ?? []} />
          </span>
          {conversation?.preview && <bdi class="mid cut">{conversation.preview}</bdi>}
          {with_}
        </a>
      )
    case 'CLOSED':
    case 'REOPENED':
      return (
        <>
          {words[kind]} {link}
          {with_}
        </>
      )
    case 'MERGE':
      return (
        <>
          {words.MERGE} {link} → {open(into?.name ?? words.deletedConversation, into && intoId)}
          {with_}
        </>
      )
    case 'FORM':
      return (
        <>
          {words.FORM} <bdi class="b">{form?.name}</bdi>, {link}
        </>
      )
    case 'RATING':
      return (
        <>
          {words.RATING} <b>{rating && scoreText(rating)}</b> {rating?.comment && <bdi>“{rating.comment}”</bdi>} {link}
        </>
      )
    case 'CHANGE':
      return (
        <span title={shortTime(entry.at, now.value)}>
          {words.changedBy(entry.isByContact ? words.theContact : who || words.theService)}{' '}
          <bdi>{fields.map(fieldName).join(', ')}</bdi>
        </span>
      )
    default:
      return null
  }
}

function fieldName(field: string): string {
  const known = words.fields as Readonly<Record<string, string>>
  return known[field] ?? field.replace(/^\w+\./, '')
}
