import { useState } from 'preact/hooks'
import type { LinkedIdentityFragment } from '../../generated/identities.js'
import { shortTime } from '../../shared/i18n/format.js'
import { useStore } from '../store/console-store.js'
import { identityWords as words } from './identity-words.js'

export interface ProviderName {
  id: string
  name: string
}

interface IdentityRowsProps {
  identities: readonly LinkedIdentityFragment[]
  providers: readonly ProviderName[]
  unlink(id: string): void
}

/** Accounts at providers that open a user's account here, each to be unlinked. */
export function IdentityRows({ identities, providers, unlink }: IdentityRowsProps) {
  const store = useStore()
  const [asked, ask] = useState<string | null>(null)
  const time = (at: string): string => shortTime(at, store.now.value)
  return (
    <>
      {identities.map((identity) => {
        const { id, email, subject, createdAt, usedAt } = identity
        const name = providerNameOf(identity, providers)
        return (
          <div class="set" key={id}>
            <span>
              <bdi>{name}</bdi>
              <small>
                <bdi>{email ?? subject}</bdi> · {words.linked(time(createdAt))}
                {usedAt !== createdAt && ` · ${words.lastUsed(time(usedAt))}`}
              </small>
            </span>
            <button
              type="button"
              class={asked === id ? 'btn small danger' : 'btn ghost small'}
              aria-label={`${asked === id ? words.unlinkAsk : words.unlink}: ${name}`}
              onClick={() => (asked === id ? unlink(id) : ask(id))}
            >
              {asked === id ? words.unlinkAsk : words.unlink}
            </button>
          </div>
        )
      })}
    </>
  )
}

/** The name of the service, or of a service that is gone the host of the provider. */
export function providerNameOf(
  { serviceId, issuer }: Pick<LinkedIdentityFragment, 'serviceId' | 'issuer'>,
  providers: readonly ProviderName[],
): string {
  return providers.find(({ id }) => id === serviceId)?.name ?? URL.parse(issuer)?.host ?? issuer
}
