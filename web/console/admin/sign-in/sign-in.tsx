import { useState } from 'preact/hooks'
import {
  AdminProvidersDocument,
  TryProviderDocument,
  type AdminProviderFragment,
} from '../../../generated/admin-sign-in.js'
import { Icon } from '../../../shared/ui/icon.js'
import { takeFragment } from '../../sign-in/fragment.js'
import { refusalText, useRefusal } from '../../sign-in/refusal.js'
import { useSignInWords } from '../../sign-in/words.js'
import { useStore } from '../../store/console-store.js'
import { EditLink, Empty, More, Section, Table } from '../section.js'
import { useOrganizations } from '../use-organizations.js'
import { usePages } from '../use-pages.js'
import { words as admin } from '../words.js'
import { Domains } from './domains.js'
import { Policy } from './policy.js'
import { NewProvider, ProviderDialog } from './provider-dialog.js'
import { Trial } from './trial.js'
import { useAdminSignInWords, words } from './words.js'

/** The page to which a trial sign-in comes back, also if it led to nothing. */
const PAGE = '/console/admin/signIn'

/** Providers by which users sign in, trial sign-ins, and the domains of emails. */
export default function SignIn() {
  const isLoaded = useAdminSignInWords()
  useSignInWords()
  const store = useStore()
  const answer = usePages(AdminProvidersDocument, ({ services }) => services, 'service')
  const organizations = useOrganizations()
  const [code] = useState(() => takeFragment('trial'))
  const [refusal, dismiss] = useRefusal()
  const [edited, edit] = useState<AdminProviderFragment | 'new' | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const tryOut = ({ id }: AdminProviderFragment): void => {
    dismiss()
    setFault(null)
    store.request(TryProviderDocument, { service: id }).then(
      ({ testService: { url, message } }) => {
        if (url) location.assign(`${url}&page=${PAGE}`)
        else setFault(message)
      },
      (error: Error) => setFault(error.message),
    )
  }
  // Nothing is shown in one language and then in another.
  if (!isLoaded) return <main class="col" id="main" tabIndex={-1} aria-busy="true" />
  const why = fault ?? (refusal === null ? null : refusalText(refusal))
  return (
    <Section
      title={admin.sections.signIn}
      lead={words.lead}
      answer={answer}
      action={{ label: words.add, run: () => edit('new') }}
    >
      {why !== null && (
        <p class="band warn" role="alert">
          <Icon name="alert" />
          <b>{words.notTried}</b>
          <span lang={fault === null ? undefined : 'en'}>{why}</span>
        </p>
      )}
      {code !== null && <Trial code={code} providers={answer.rows} />}
      {answer.rows.length > 0 && (
        <Table label={words.providers} heads={[admin.name, words.issuer, words.state, '']}>
          {answer.rows.map((provider) => (
            <tr key={provider.id}>
              <th scope="row">
                <bdi>{nameOf(provider)}</bdi>
              </th>
              <td class="mono">{String(provider.params.issuer ?? '')}</td>
              <td>
                <State provider={provider} />
              </td>
              <td class="num">
                <button
                  class="btn ghost small"
                  aria-label={`${words.tryIt}: ${nameOf(provider)}`}
                  onClick={() => tryOut(provider)}
                >
                  {words.tryIt}
                </button>
                <EditLink name={nameOf(provider)} run={() => edit(provider)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More more={answer.more} />
      {answer.data && answer.rows.length === 0 && <Empty icon="keys" says={words.none} />}
      <Domains organizations={organizations} />
      <Policy organizations={organizations} />
      {edited === 'new' && (
        <NewProvider
          organization={organizations.field}
          // The next step, once the dialog has closed.
          made={(provider) => setTimeout(() => edit(provider))}
          close={() => edit(null)}
          refresh={answer.refresh}
        />
      )}
      {edited !== null && edited !== 'new' && (
        <ProviderDialog key={edited.id} provider={edited} close={() => edit(null)} refresh={answer.refresh} />
      )}
    </Section>
  )
}

export function nameOf({ name, params }: Pick<AdminProviderFragment, 'name' | 'params'>): string {
  return name ?? String(params.issuer ?? '')
}

function State({ provider: { status, type, params } }: { provider: AdminProviderFragment }) {
  if (status === 'INACTIVE') return <span class="tag">{words.states.archived}</span>
  if (params[type === 'saml' ? 'certificates' : 'clientId'] === undefined)
    return <span class="tag warn">{words.states.unregistered}</span>
  return <span class="tag good">{words.states.active}</span>
}
