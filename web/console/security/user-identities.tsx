import { useState } from 'preact/hooks'
import { IdentitiesDocument, UnlinkIdentityDocument } from '../../generated/identities.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import { IdentityRows } from './identity-rows.js'
import { identityWords as words, useIdentityWords } from './identity-words.js'

/** Shows an administrator the accounts at providers by which another user signs in, and unlinks them. */
export function UserIdentities({ user }: { user: string }) {
  useIdentityWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(IdentitiesDocument, { user }, 'user')
  const [fault, setFault] = useState<string | null>(null)
  const unlink = (identity: string): void => {
    setFault(null)
    store.request(UnlinkIdentityDocument, { user, identity }).then(refresh, ({ message }: Error) => setFault(message))
  }
  return (
    <section class="box" aria-label={words.title} aria-busy={data === null && !error}>
      <header>
        <Icon name="link" />
        <h2>{words.title}</h2>
      </header>
      <ErrorHint text={fault ?? error?.message} />
      {data?.identities.length === 0 && <p class="pad mid">{words.none}</p>}
      {data && <IdentityRows identities={data.identities} providers={data.signInProviders} unlink={unlink} />}
    </section>
  )
}
