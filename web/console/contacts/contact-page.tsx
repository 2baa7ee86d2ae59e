import { ContactPageDocument, ContactRatingsDocument, type ContactPageQuery } from '../../generated/contacts.js'
import { shortTime } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { useQuery } from '../admin/use-query.js'
import { Part } from '../lazy.js'
import { threadPath } from '../route.js'
import { useStore } from '../store/console-store.js'
import { NotLoaded } from './not-loaded.js'
import { useAllPages } from '../lists/use-all-pages.js'
import { scoreText } from './score-text.js'
import { Timeline } from './timeline.js'
import { words } from './words.js'

type Contact = ContactPageQuery['contacts']['nodes'][number]

/** The contact that was shown last, so that the way back to it has its height at once. */
let seen: Contact | undefined

/** Administrators alone see them. */
const loadErasing = () => import('../admin/privacy/erase-contact.js')
const loadExporting = () => import('../admin/privacy/export-contact.js')

/** One contact: how it is reached, and what happened with it, newest first. */
export function ContactPage({ id }: { id: string }) {
  // Agents list contacts; fetching one by its id is for bots (section 5).
  const { data, error, refresh } = useQuery(ContactPageDocument, { contact: id })
  const { isAdmin } = useStore()
  if (data) seen = data.contacts.nodes[0]
  const contact = data || seen?.id === id ? seen : undefined
  const name = contact?.profile.name ?? t().list.anonymous
  return (
    <main class="col" id="main" tabIndex={-1} aria-busy={!data && !error}>
      <div class="scroll" tabIndex={-1}>
        <div class="page">
          <p>
            <a href="/console/contacts">{words.back}</a>
          </p>
          {error && !contact && <NotLoaded error={error} again={refresh} />}
          {data && !contact && <p class="mid">{words.gone}</p>}
          {contact && (
            <header class="line">
              <Avatar name={name} of={id} size="l" />
              <h1>
                <bdi>{name}</bdi>
              </h1>
              {contact.status === 'BLOCKED' && <span class="tag bad">{words.blocked}</span>}
              {isAdmin && <Part load={loadErasing} props={{ contact: id }} />}
            </header>
          )}
          {/* Asked for with the contact, and drawn at once on the way back. */}
          {(contact || (!data && !error)) && (
            <div class="cols">
              <Timeline contact={id} />
              <div class="stack">
                {contact && <Details contact={contact} />}
                {contact && <Ratings id={id} />}
                {contact && isAdmin && <Part load={loadExporting} props={{ contact: id }} />}
              </div>
            </div>
          )}
        </div>
      </div>
    </main>
  )
}

function Details({ contact: { profile } }: { contact: Contact }) {
  const facts: [string, string | null | undefined, string?][] = [
    [words.email, profile.email, 'mailto:'],
    [words.phone, profile.telephone, 'tel:'],
    [words.worksFor, profile.worksFor],
  ]
  const known = facts.filter(([, value]) => value)
  if (known.length === 0) return null
  return (
    <section aria-label={words.details}>
      <dl class="facts">
        {known.map(([label, value, scheme]) => [
          <dt key={label}>{label}</dt>,
          <dd key={`${label} value`} dir="auto">
            {scheme ? <a href={scheme + value!}>{value}</a> : value}
          </dd>,
        ])}
      </dl>
    </section>
  )
}

/** The contact's ratings of its cases, newest first, and why it was not asked. */
function Ratings({ id }: { id: string }) {
  const { now } = useStore()
  const { rows, more, error, refresh } = useAllPages(ContactRatingsDocument, { contact: id }, ({ ratings }) => ratings)
  if (!error && !rows?.length) return null
  return (
    <section class="stack" aria-label={words.ratings}>
      <h2>{words.ratings}</h2>
      {error && <NotLoaded error={error} again={refresh} />}
      {rows && rows.length > 0 && (
        <ul class="box hits" role="list" aria-label={words.ratings}>
          {rows.map(
            ({ id: rating, conversationId, scale, score, comment, notAsked, ratedAt, createdAt, user, channel }) => (
              <li class="hit" key={rating}>
                <a class="other" href={threadPath(conversationId)}>
                  <span class="cut">
                    {score === null ? (
                      <span class="mute">{notAsked ? words.notAsked[notAsked] : words.unrated}</span>
                    ) : (
                      <b>{scoreText({ scale, score })}</b>
                    )}{' '}
                    {comment && <bdi class="mid">{comment}</bdi>}
                  </span>
                  <span class="mute t2">
                    <bdi>{[user?.displayName, channel?.name].filter(Boolean).join(' · ')}</bdi> ·{' '}
                    {shortTime(ratedAt ?? createdAt, now.value)}
                  </span>
                </a>
              </li>
            ),
          )}
        </ul>
      )}
      {more && (
        <button class="btn fit" onClick={more}>
          {words.more}
        </button>
      )}
    </section>
  )
}
