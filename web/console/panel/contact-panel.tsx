import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import {
  ContactConversationsDocument,
  ContactPanelDocument,
  type ContactConversationsQuery,
  type ContactPanelQuery,
} from '../../generated/beside.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { shortTime } from '../../shared/i18n/format.js'
import { isWeb } from '../thread/is-web.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import { Icon } from '../../shared/ui/icon.js'
import { Opened, Part } from '../lazy.js'
import { useStore } from '../store/console-store.js'
import { contactPath, threadPath } from '../route.js'
import { People } from './people.js'
import { profileFieldsOf, valueAt, type Profile } from './profile-fields.js'
import { Topics } from './topics.js'

type Contact = NonNullable<NonNullable<ContactPanelQuery['conversation']>['contact']>
type Earlier = ContactConversationsQuery['conversations']['edges'][number]['node']

/** The consumer and its earlier conversations. */
export function ContactPanel({ thread, isDrawn, close }: { thread: ThreadFrame; isDrawn: boolean; close(): void }) {
  useActWords()
  const words = catalogue.panel
  const { contact, earlier, isAsked, refresh } = useContact(thread)
  const [isEdited, edit] = useState(false)
  const name = contact?.profile.name || thread.name
  const seen = contact?.presences[0]?.lastSeenAt
  const { live, now, supervises } = useStore()
  // Without a connection nobody knows.
  const isOnline = live.connection.value.is !== 'offline' && (contact?.presences.some(({ online }) => online) ?? false)
  return (
    <aside class="col panel" aria-label={words.contact} data-drawn={isDrawn || undefined}>
      <div class="head">
        <h2>{words.contact}</h2>
        <button class="btn ghost icon push to-panel" aria-label={words.hide} onClick={close}>
          <Icon name="x" />
        </button>
      </div>
      <div class="scroll" tabIndex={0} role="group" aria-label={words.details}>
        <section class="sec">
          <div class="line">
            <Avatar name={name} of={thread.conversation.id} size="l" />
            <div class="grow">
              <p class="b">
                <bdi>{name}</bdi>
              </p>
              <a
                class="t2"
                href={contactPath(thread.conversation.contactId ?? '')}
                hidden={!thread.conversation.contactId}
              >
                {words.openPage}
              </a>
            </div>
          </div>
        </section>
        {contact && (
          <Facts contact={contact} language={thread.conversation.language}>
            {thread.conversation.status !== 'ARCHIVED' && (
              <button class="btn small" onClick={() => edit(true)}>
                {words.edit}
              </button>
            )}
          </Facts>
        )}
        {contact && <Visitor thread={thread} isOnline={isOnline} seen={seen ?? null} />}
        {contact && isEdited && (
          <Opened
            dialog="ContactEditor"
            conversation={thread.conversation.id}
            profile={contact.profile}
            close={(isSaved) => {
              edit(false)
              if (isSaved) refresh()
            }}
          />
        )}
        {/* Below what is asked for, which would move it. */}
        {isAsked && <Topics thread={thread} />}
        {isAsked && <People thread={thread} />}
        {isAsked && supervises && (
          <Part load={() => import('../bots/bots-here.js')} props={{ conversation: thread.conversation.id }} />
        )}
        {earlier && earlier.length > 0 && (
          <section class="sec">
            <h3>{words.earlier}</h3>
            {earlier.map((each) => (
              <a class="other" key={each.id} href={threadPath(each.id)}>
                <Icon name={each.touchpoint ? TOUCHPOINT_TRAITS[each.touchpoint].icon : 'chat'} />
                <bdi class="cut">{each.preview || each.name}</bdi>
                <span class="mute t2">{shortTime(each.lastMessageAt ?? each.createdAt, now.value)}</span>
              </a>
            ))}
          </section>
        )}
      </div>
    </aside>
  )
}

interface VisitorProps {
  thread: ThreadFrame
  isOnline: boolean
  /** Time at which the consumer was seen last. */
  seen: string | null
}

/** Says whether the consumer is there now, and the page that it was on when it wrote last. */
function Visitor({ thread: { conversation }, isOnline, seen }: VisitorProps) {
  const words = catalogue.panel
  const { now } = useStore()
  const { _url: url, _title: title } = conversation.meta as { _url?: unknown; _title?: unknown }
  if (!isOnline && !seen && !isWeb(url)) return null
  return (
    <section class="sec stack" aria-label={words.visitor}>
      <h3>{words.visitor}</h3>
      {(isOnline || seen) && (
        <p class="line tight mute t2">
          <span class={isOnline ? 'good' : 'mute'}>
            <span class={isOnline ? 'dot' : 'dot hollow'} />
          </span>
          {isOnline ? words.online : words.lastSeen(shortTime(seen!, now.value))}
        </p>
      )}
      {isWeb(url) && (
        <dl class="facts">
          <dt>{words.page}</dt>
          <dd dir="auto">
            <a href={url} target="_blank" rel="noreferrer noopener">
              {typeof title === 'string' && title !== '' ? title : url}
            </a>
          </dd>
        </dl>
      )}
    </section>
  )
}

interface FactsProps {
  contact: Contact
  language: string | null
  children: ComponentChildren
}

/** Fields that the organization shows of a contact, under its labels (2.4, `profileFields`); the address in one. */
function Facts({ contact: { profile }, language, children }: FactsProps) {
  const store = useStore()
  const labels = catalogue.panel.fields
  const shown = profileFieldsOf(store.organization.me.value?.organization?.profileFields)
  const plain = shown.filter(({ key }) => !key.startsWith('address.'))
  const facts: [string, string | null][] = [
    ...plain.map(({ key, label }): [string, string | null] => [label, valueAt(profile, key)]),
    [labels.address, plain.length < shown.length ? addressOf(profile) : null],
    [labels.language, language],
  ]
  const known = facts.filter(([, value]) => value)
  return (
    <section class="sec stack">
      {known.length > 0 && (
        <dl class="facts">
          {known.map(([label, value]) => [
            <dt key={label}>{label}</dt>,
            <dd key={`${label} value`} dir="auto">
              {/* An address breaks at its sign. */}
              {value!.split(/(?=@)/).map((part) => [<wbr />, part])}
            </dd>,
          ])}
        </dl>
      )}
      <div>{children}</div>
    </section>
  )
}

function addressOf({ address }: Profile): string | null {
  if (!address) return null
  const lines = [
    [address.streetAddress, address.streetNumber].filter(Boolean).join(' '),
    [address.postalCode, address.addressLocality].filter(Boolean).join(' '),
    address.addressRegion,
    address.addressCountry,
  ]
  return lines.filter(Boolean).join(', ') || null
}

/** Waits for the job that takes field messages to the contact. */
const FILLED_MS = 1_200

/** Fetched again when the conversation or the contact changes. */
function useContact({ conversation: { id, contactId }, participants, fieldCount }: ThreadFrame): {
  contact: Contact | null
  earlier: Earlier[] | null
  /** True if an answer has come, or none will. */
  isAsked: boolean
  refresh(): void
} {
  const store = useStore()
  const [contact, setContact] = useState<Contact | null>(null)
  const [earlier, setEarlier] = useState<Earlier[] | null>(null)
  const [isAsked, setAsked] = useState(false)
  const [round, turn] = useState(0)
  const refresh = useCallback(() => turn((last) => last + 1), [])
  useEffect(() => {
    if (fieldCount === 0) return
    const timer = setTimeout(refresh, FILLED_MS)
    return () => clearTimeout(timer)
  }, [fieldCount, refresh])
  useEffect(() => {
    const stop = new AbortController()
    store.request(ContactPanelDocument, { conversation: id }, stop.signal).then(
      ({ conversation }) => {
        setContact(conversation?.contact ?? null)
        setAsked(true)
      },
      () => setAsked(true),
    )
    if (contactId) {
      store.request(ContactConversationsDocument, { contact: contactId }, stop.signal).then(
        ({ conversations: { edges } }) => setEarlier(edges.map(({ node }) => node).filter((each) => each.id !== id)),
        () => undefined,
      )
    }
    return () => stop.abort()
  }, [store, id, contactId, participants.length, round])
  return { contact, earlier, isAsked, refresh }
}
