import { useEffect, useState } from 'preact/hooks'
import {
  RoleMapChannelsDocument,
  TrialSignInDocument,
  TrialUserDocument,
  type AdminProviderFragment,
  type TrialSignInQuery,
} from '../../../generated/admin-sign-in.js'
import { Refused } from '@switchboard/client'
import { Icon } from '../../../shared/ui/icon.js'
import { useStore } from '../../store/console-store.js'
import { usePages } from '../use-pages.js'
import { words } from './words.js'

type Result = TrialSignInQuery['trialSignIn'] & { user: string | null }

/** Shows what a trial sign-in has found: the account that it would lead to, and all that the provider said. */
export function Trial({ code, providers }: { code: string; providers: readonly AdminProviderFragment[] }) {
  const store = useStore()
  const [result, setResult] = useState<Result | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const channels = usePages(RoleMapChannelsDocument, (data) => data.channels, 'channel')
  const read = async (): Promise<Result> => {
    const { trialSignIn } = await store.request(TrialSignInDocument, { code })
    if (trialSignIn.userId === null) return { ...trialSignIn, user: null }
    const { user } = await store.request(TrialUserDocument, { id: trialSignIn.userId })
    return { ...trialSignIn, user: user ? `${user.displayName} (${user.email})` : null }
  }
  useEffect(() => {
    read().then(setResult, (error: Error) =>
      setFault(error instanceof Refused && error.reason === 'RECORD_NOT_FOUND' ? words.trialGone : error.message),
    )
  }, [])
  const name = providers.find(({ id }) => id === result?.serviceId)?.name
  const nameOf = (id: string): string => channels.rows.find((each) => each.id === id)?.name ?? words.otherChannel
  return (
    <section class="box" aria-label={words.tryTitle} aria-busy={result === null && fault === null}>
      <header>
        <Icon name="keys" />
        <h2>
          {words.tryTitle} <bdi class="mute">{name}</bdi>
        </h2>
      </header>
      <div class="pad stack" role="status">
        {fault !== null && (
          <p class="band warn">
            <Icon name="alert" />
            {fault}
          </p>
        )}
        {result && (
          <>
            <p class={result.outcome === 'REFUSED' ? 'band warn' : 'band good'}>
              <Icon name={result.outcome === 'REFUSED' ? 'alert' : 'check'} />
              <b>{words.outcomes[result.outcome]}</b>
              {result.why !== null && <span lang="en">{result.why}.</span>}
            </p>
            <p class="mid">{words.trialLead}</p>
            <dl class="facts">
              {result.user !== null && (
                <>
                  <dt>{words.user}</dt>
                  <dd>
                    <bdi>{result.user}</bdi>
                  </dd>
                </>
              )}
              <dt>{words.givenRole}</dt>
              <dd>{result.role === null ? words.roleNone : words.roles[result.role.toLowerCase()]}</dd>
              <dt>{words.givenChannels}</dt>
              <dd>{result.channelIds.length === 0 ? words.noChannels : result.channelIds.map(nameOf).join(', ')}</dd>
            </dl>
            <h3>{words.claims}</h3>
            {Object.keys(result.claims).length === 0 ? (
              <p class="mid">{words.tooLarge}</p>
            ) : (
              <code class="code" tabIndex={0} role="region" aria-label={words.claims}>
                {JSON.stringify(result.claims, null, 2)}
              </code>
            )}
          </>
        )}
      </div>
    </section>
  )
}
