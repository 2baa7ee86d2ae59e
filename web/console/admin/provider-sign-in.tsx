import { useState } from 'preact/hooks'
import { AuthorizeServiceDocument } from '../../generated/admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { takeFragment } from '../sign-in/fragment.js'
import { useStore } from '../store/console-store.js'
import { Copied } from './copied.js'
import type { Service, ServiceKind } from './service-kinds.js'
import { words } from './words.js'

/** Forms that what an address says may have: anybody can make a link with words in it. */
const ACCOUNT = /^[^\s@]{1,64}@[\w.-]{1,189}$/
const ERROR = /^[a-z_]{1,60}$/

/** Offers to sign in at the provider, where the settings of the service are for one that has such a page. */
export function ProviderSignIn({ service, kind: { signIn } }: { service: Service; kind: ServiceKind }) {
  const store = useStore()
  const own = words.providerSignIn
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const offered = signIn?.options.find(({ value }) => value === service.params[signIn.param])
  if (!signIn || !offered) return null
  const go = (): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    store.request(AuthorizeServiceDocument, { service: service.id }).then(
      ({ authorizeService: { url } }) => location.assign(url),
      (error: Error) => {
        setFault(error.message)
        setBusy(false)
      },
    )
  }
  return (
    <section class="stack" aria-label={own.title}>
      <h3>{own.title}</h3>
      <p>{own.lead}</p>
      <Copied label={own.redirect} text={signIn.address} />
      <p>
        <button type="button" class="btn" aria-disabled={isBusy} onClick={go}>
          {offered.label}
        </button>
      </p>
      {fault !== null && (
        <p class="band warn" role="alert">
          <Icon name="alert" />
          <bdi class="grow" lang="en">
            {fault}
          </bdi>
        </p>
      )}
    </section>
  )
}

/** Says what came of a sign-in at a provider, from which the browser comes back. @param nameOf names a service by its id */
export function SignedIn({ nameOf }: { nameOf(id: string): string | null }) {
  const [outcome, setOutcome] = useState(() => {
    const said = takeFragment('authorization')
    return said === null ? null : new URLSearchParams(said)
  })
  if (!outcome) return null
  const own = words.providerSignIn
  const fault = outcome.get('fault')
  const name = nameOf(outcome.get('service') ?? '')
  return (
    <p class={fault === null ? 'band good' : 'band warn'} role={fault === null ? 'status' : 'alert'}>
      <Icon name={fault === null ? 'check' : 'alert'} />
      <span class="grow">
        {name !== null && (
          <>
            <b>
              <bdi>{name}</bdi>
            </b>
            {': '}
          </>
        )}
        {fault === null ? own.granted : faultOf(fault, outcome)}
      </span>
      <button type="button" class="link" onClick={() => setOutcome(null)}>
        {own.dismiss}
      </button>
    </p>
  )
}

function faultOf(fault: string, outcome: URLSearchParams): string {
  const own = words.providerSignIn
  const [account, expected, error] = ['account', 'expected', 'error'].map((name) => outcome.get(name) ?? '')
  if (fault === 'OTHER_ACCOUNT' && ACCOUNT.test(account!) && ACCOUNT.test(expected!)) {
    return own.otherAccount(account!, expected!)
  }
  const said = Object.hasOwn(own.faults, fault) ? own.faults[fault]! : own.faults.ANSWER_INVALID!
  return ERROR.test(error!) ? `${said} (${error})` : said
}
