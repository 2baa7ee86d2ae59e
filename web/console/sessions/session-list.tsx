import { useState } from 'preact/hooks'
import { EndSessionDocument, EndSessionsDocument, SessionsDocument } from '../../generated/sessions.js'
import { dayTime } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import { deviceName } from './device-name.js'
import { useSessionWords, words } from './words.js'

/** The places where a user is signed in, each to be ended, or all at once: of one's own, all others. */
export function SessionList({ user, isOwn = false }: { user: string; isOwn?: boolean }) {
  useSessionWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(SessionsDocument, { user })
  const [fault, setFault] = useState<string | null>(null)
  const now = store.now.value
  const sessions = data?.sessions ?? []
  const attempt = (request: Promise<unknown>): void => {
    setFault(null)
    request.then(refresh, ({ message }: Error) => setFault(message))
  }
  const ended = sessions.filter(({ isCurrent }) => !isCurrent)
  const said = fault ?? error?.message
  return (
    <section class="box" aria-label={isOwn ? words.own : words.title} aria-busy={data === null && !error}>
      <header>
        <Icon name="lock" />
        <h2>{isOwn ? words.own : words.title}</h2>
        {ended.length > 0 && (
          <button
            type="button"
            class="btn small push"
            onClick={() => attempt(store.request(EndSessionsDocument, { user }))}
          >
            {isOwn ? words.endOthers : words.endAll}
          </button>
        )}
      </header>
      {said && (
        <p class="pad hint bad" role="alert">
          <Icon name="alert" size="s" />
          {said}
        </p>
      )}
      {data && sessions.length === 0 && <p class="pad mid">{words.none}</p>}
      {sessions.map(({ id, userAgent, network, createdAt, seenAt, isCurrent }) => {
        const name = userAgent ? deviceName(userAgent) : words.unknown
        return (
          <div class="set" key={id}>
            <span>
              <span title={userAgent ?? undefined}>{name}</span>
              <small>
                {[
                  network,
                  words.since(dayTime(createdAt, now)),
                  isCurrent ? words.current : words.seen(dayTime(seenAt, now)),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            {!isCurrent && (
              <button
                type="button"
                class="btn ghost small"
                aria-label={`${words.end}: ${name}`}
                onClick={() => attempt(store.request(EndSessionDocument, { user, session: id }))}
              >
                {words.end}
              </button>
            )}
          </div>
        )
      })}
    </section>
  )
}
