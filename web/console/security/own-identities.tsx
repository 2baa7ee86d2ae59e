import { Refused } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ConfirmIdentityDocument, IdentitiesDocument, UnlinkIdentityDocument } from '../../generated/identities.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { takeFragment } from '../sign-in/fragment.js'
import { refusalText, useRefusal } from '../sign-in/refusal.js'
import { useSignInWords } from '../sign-in/words.js'
import { useStore } from '../store/console-store.js'
import { identityFault } from './identity-fault.js'
import { IdentityRows, providerNameOf, type ProviderName } from './identity-rows.js'
import { identityWords as words, useIdentityWords } from './identity-words.js'
import { LinkDialog } from './link-dialog.js'

/** The state of an account that comes back from a provider. */
type Linking =
  | { is: 'not' }
  | { is: 'busy' }
  | { is: 'failed'; why: string; mayBeRepeated: boolean }
  | { is: 'done'; name: string }

/** Space above what is scrolled to. */
const MARGIN_PX = 16

/** One's own accounts at providers: those that are linked, and providers that could be. Nothing where there are neither. */
export function OwnIdentities() {
  useIdentityWords()
  useSignInWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(IdentitiesDocument, { user: 'me' }, 'user')
  const [code] = useState(() => takeFragment('link'))
  const [linking, setLinking] = useState<Linking>({ is: code === null ? 'not' : 'busy' })
  const [refusal, dismiss] = useRefusal()
  const [chosen, choose] = useState<ProviderName | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const providers = data?.signInProviders ?? []
  const identities = data?.identities ?? []
  const others = providers.filter(({ id }) => identities.every(({ serviceId }) => serviceId !== id))
  const confirm = (): void => {
    setLinking({ is: 'busy' })
    store.request(ConfirmIdentityDocument, { code: code! }).then(
      ({ confirmIdentity }) => {
        setLinking({ is: 'done', name: providerNameOf(confirmIdentity, providers) })
        refresh()
      },
      (failure: Error) => {
        const isGone = failure instanceof Refused && failure.reason === 'RECORD_NOT_FOUND'
        setLinking({ is: 'failed', why: identityFault(failure), mayBeRepeated: !isGone })
        // It may have been done, and the answer lost.
        refresh()
      },
    )
  }
  // Once the providers' names are known.
  const isReady = data !== null
  useEffect(() => {
    if (isReady && linking.is === 'busy') confirm()
  }, [isReady])
  // The settings are long, and whoever comes back from a provider wants to know this. Their column scrolls, and nothing around it.
  const outcome = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (linking.is === 'not' && refusal === null) return
    const section = outcome.current!.closest('section')!
    const column = section.closest('.scroll')!
    column.scrollTop += section.getBoundingClientRect().top - column.getBoundingClientRect().top - MARGIN_PX
  }, [isReady, linking.is])
  const unlink = (identity: string): void => {
    setFault(null)
    store
      .request(UnlinkIdentityDocument, { user: 'me', identity })
      .then(refresh, (failure: Error) => setFault(identityFault(failure)))
  }
  return (
    <>
      <p
        ref={outcome}
        role="status"
        class={linking.is === 'busy' ? 'pad mid' : linking.is === 'done' ? 'band good' : 'vh'}
      >
        {linking.is === 'busy' && words.linking}
        {linking.is === 'done' && (
          <>
            <Icon name="check" />
            {words.isLinked(linking.name)}
          </>
        )}
      </p>
      {linking.is === 'failed' && (
        <p class="band warn" role="alert">
          <Icon name="alert" />
          <b>{words.notDone}</b>
          <span>{linking.why}</span>
          {linking.mayBeRepeated && (
            <button type="button" class="btn small push" onClick={confirm}>
              {words.again}
            </button>
          )}
        </p>
      )}
      {refusal !== null && (
        <p class="band warn" role="alert">
          <Icon name="alert" />
          <b>{words.notDone}</b>
          <span>{refusalText(refusal)}</span>
        </p>
      )}
      <ErrorHint text={fault ?? error?.message} />
      <IdentityRows identities={identities} providers={providers} unlink={unlink} />
      {others.map((provider) => (
        <div class="set" key={provider.id}>
          <span>
            <bdi>{provider.name}</bdi>
            <small>{words.notLinked}</small>
          </span>
          <button
            type="button"
            class="btn small"
            aria-label={`${words.link}: ${provider.name}`}
            onClick={() => {
              dismiss()
              setLinking({ is: 'not' })
              choose(provider)
            }}
          >
            {words.link}
          </button>
        </div>
      ))}
      {chosen && <LinkDialog provider={chosen} close={() => choose(null)} />}
    </>
  )
}
