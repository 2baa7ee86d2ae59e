import { useState } from 'preact/hooks'
import { ApiTokensDocument, RotateApiTokenDocument } from '../../generated/security.js'
import { shortTime } from '../../shared/i18n/format.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import { useSecurityWords, words } from './words.js'

/** Shows an administrator until when the API tokens of a bot work, and makes a new one. */
export function UserTokens({ user }: { user: string }) {
  useSecurityWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(ApiTokensDocument, { user }, 'user')
  const [asks, setAsks] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [made, setMade] = useState<string | null>(null)
  const now = store.now.value
  const tokens = data?.user?.apiTokens ?? []
  const endOf = (endsAt: string | null): string => {
    if (endsAt === null) return words.noEnd
    const time = shortTime(endsAt, now)
    return Date.parse(endsAt) > now ? words.tokenEnds(time) : words.tokenEnded(time)
  }
  const rotate = (): void => {
    setFault(null)
    setAsks(false)
    store.request(RotateApiTokenDocument, { user }).then(
      ({ rotateApiToken: { apiToken } }) => {
        setMade(apiToken)
        refresh()
      },
      ({ message }: Error) => setFault(message),
    )
  }
  return (
    <section class="box" aria-label={words.tokens} aria-busy={data === null && !error}>
      <header>
        <Icon name="lock" />
        <h2>{words.tokens}</h2>
      </header>
      <ErrorHint text={fault ?? error?.message} />
      {made && (
        <p class="band good" role="status">
          {words.newToken}
          <code class="code">{made}</code>
        </p>
      )}
      {data && (
        <div class="set">
          <span>
            {tokens.length === 0 && <small>{words.noTokens}</small>}
            {tokens.map(({ id, createdAt, endsAt }) => (
              <small key={id}>
                {words.made(shortTime(createdAt, now))} · {endOf(endsAt)}
              </small>
            ))}
          </span>
          <button type="button" class="btn ghost small danger" onClick={() => (asks ? rotate() : setAsks(true))}>
            {asks ? words.rotateAsk : words.rotate}
          </button>
        </div>
      )}
    </section>
  )
}
