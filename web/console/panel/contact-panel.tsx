import { useEffect, useState } from 'preact/hooks'
import {
  ContactConversationsDocument,
  ContactPanelDocument,
  type ContactConversationsQuery,
  type ContactPanelQuery,
} from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import { shortTime } from '../../shared/i18n/format.js'
import type { Thread } from '../../shared/live/thread.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon, TOUCHPOINT_ICONS } from '../../shared/ui/icon.js'
import { useOffice } from '../office.js'
import { threadPath } from '../route.js'
import { contactName } from '../thread/thread-view.js'
import { People } from './people.js'
import { Topics } from './topics.js'

type Contact = NonNullable<NonNullable<ContactPanelQuery['conversation']>['contact']>
type Earlier = ContactConversationsQuery['conversations']['edges'][number]['node']

/** Who the consumer is, and what was talked about before. */
export function ContactPanel({ thread, isDrawn, close }: { thread: Thread; isDrawn: boolean; close(): void }) {
  const words = t().panel
  const { contact, earlier } = useContact(thread)
  const name = contact?.profile.name || contactName(thread)
  const isOnline = contact?.presences.some(({ online }) => online) ?? false
  const seen = contact?.presences[0]?.lastSeenAt
  const { now } = useOffice()
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
              {contact && (isOnline || seen) && (
                <p class="line tight mute t2">
                  <span class={isOnline ? 'good' : 'mute'}>
                    <span class={isOnline ? 'dot' : 'dot hollow'} />
                  </span>
                  {isOnline ? words.online : words.lastSeen(shortTime(seen!, now.value))}
                </p>
              )}
            </div>
          </div>
        </section>
        {contact && <Facts contact={contact} language={thread.conversation.language} />}
        <Topics thread={thread} />
        <People thread={thread} />
        {earlier && earlier.length > 0 && (
          <section class="sec">
            <h3>{words.earlier}</h3>
            {earlier.map((each) => (
              <a class="other" key={each.id} href={threadPath(each.id)}>
                <Icon name={each.touchpoint ? TOUCHPOINT_ICONS[each.touchpoint] : 'chat'} />
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

function Facts({ contact: { profile }, language }: { contact: Contact; language: string | null }) {
  const labels = t().panel.fields
  const address = profile.address
  const facts: [string, string | null | undefined][] = [
    [labels.email, profile.email],
    [labels.telephone, profile.telephone],
    [labels.worksFor, profile.worksFor],
    [
      labels.address,
      address &&
        [
          [address.streetAddress, address.streetNumber].filter(Boolean).join(' '),
          [address.postalCode, address.addressLocality].filter(Boolean).join(' '),
          address.addressCountry,
        ]
          .filter(Boolean)
          .join(', '),
    ],
    [labels.language, language],
  ]
  const known = facts.filter(([, value]) => value)
  if (known.length === 0) return null
  return (
    <section class="sec">
      <dl class="facts">
        {known.map(([label, value]) => [
          <dt key={label}>{label}</dt>,
          <dd key={`${label} value`} dir="auto">
            {value}
          </dd>,
        ])}
      </dl>
    </section>
  )
}

/** Asked for anew when the conversation or what it knows of the contact changes. */
function useContact({ conversation: { id, contactId }, participants }: Thread): {
  contact: Contact | null
  earlier: Earlier[] | null
} {
  const office = useOffice()
  const [contact, setContact] = useState<Contact | null>(null)
  const [earlier, setEarlier] = useState<Earlier[] | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    office.request(ContactPanelDocument, { conversation: id }, stop.signal).then(
      ({ conversation }) => setContact(conversation?.contact ?? null),
      () => undefined,
    )
    if (contactId) {
      office.request(ContactConversationsDocument, { contact: contactId }, stop.signal).then(
        ({ conversations: { edges } }) => setEarlier(edges.map(({ node }) => node).filter((each) => each.id !== id)),
        () => undefined,
      )
    }
    return () => stop.abort()
  }, [office, id, contactId, participants.length])
  return { contact, earlier }
}
