import { useState } from 'preact/hooks'
import {
  CreateScimTokenDocument,
  ProviderProvisioningDocument,
  RevokeScimTokenDocument,
  type ProviderProvisioningQuery,
} from '../../../generated/scim.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useStore } from '../../store/console-store.js'
import { useQuery } from '../use-query.js'
import { CopyLine } from './copy-line.js'
import { faultText } from '../fault-text.js'
import { words } from './words.js'

type Kept = ProviderProvisioningQuery['provisioning']
type Token = Kept['tokens'][number]

/** Hours for which the token before works too, so that the new one can be entered at the provider meanwhile. */
const OVERLAP_HOURS = 24

/** The tokens by which a provider keeps users and groups here, and what it keeps. */
export function Provisioning({ service }: { service: string }) {
  const store = useStore()
  const { data, error, refresh } = useQuery(ProviderProvisioningDocument, { service })
  const [made, setMade] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const own = words.scim
  const kept = data?.provisioning
  // Two are valid at most: the older one, which the provider may still use, would end at once.
  const endsOlder = kept?.tokens.some(({ endsAt }) => endsAt !== null) === true
  const run = (request: Promise<string | null>): void => {
    setBusy(true)
    setFault(null)
    request
      .then(setMade, (failure: Error) => setFault(faultText(failure)))
      .finally(() => {
        setBusy(false)
        refresh()
      })
  }
  const make = (): void => {
    if (isBusy) return
    setAsks(endsOlder && !asks)
    if (endsOlder && !asks) return
    run(
      store
        .request(CreateScimTokenDocument, { service, overlapHours: OVERLAP_HOURS })
        .then(({ createScimToken: { token } }) => token),
    )
  }
  const end = ({ id }: Token): void => {
    if (isBusy) return
    run(store.request(RevokeScimTokenDocument, { service, token: id }).then(() => null))
  }
  return (
    <section class="box" aria-label={own.title} aria-busy={data === null && !error}>
      <header>
        <Icon name="keys" />
        <h3>{own.title}</h3>
        <button type="button" class="btn small push" aria-disabled={isBusy} onClick={make}>
          {endsOlder && asks ? own.rotateAsk : kept && kept.tokens.length > 0 ? own.rotate : own.make}
        </button>
      </header>
      <p class="pad mid">{own.lead}</p>
      <ErrorHint text={fault ?? error?.message} />
      {made !== null && (
        <div role="status">
          <p class="pad good">{own.once}</p>
          <CopyLine label={own.token} text={made} />
        </div>
      )}
      {kept && (
        <>
          <CopyLine label={own.url} text={kept.url} />
          {kept.tokens.map((token) => (
            <TokenRow key={token.id} token={token} end={() => end(token)} />
          ))}
          <p class="pad mid">{kept.tokens.length === 0 ? own.none : own.users(kept.users)}</p>
          {kept.groups.length > 0 && <Groups groups={kept.groups} />}
        </>
      )}
    </section>
  )
}

function TokenRow({ token: { createdAt, endsAt, usedAt }, end }: { token: Token; end(): void }) {
  const now = useStore().now.value
  const [asks, setAsks] = useState(false)
  const own = words.scim
  const made = own.made(dayTime(createdAt, now))
  return (
    <div class="set" role="group" aria-label={made}>
      <span>
        <span>{made}</span>
        <small>
          {usedAt ? own.used(dayTime(usedAt, now)) : own.unused}
          {endsAt && ` · ${own.ends(dayTime(endsAt, now))}`}
        </small>
      </span>
      <button
        type="button"
        class="btn ghost small danger"
        aria-label={`${asks ? own.endAsk : own.end}: ${made}`}
        onClick={() => (asks ? end() : setAsks(true))}
      >
        {asks ? own.endAsk : own.end}
      </button>
    </div>
  )
}

/** The names by which rows of the role map may give role and channels. */
function Groups({ groups }: { groups: Kept['groups'] }) {
  return (
    <details class="pad">
      <summary>{words.scim.groups(groups.length)}</summary>
      <p class="hint">{words.scim.groupsHelp}</p>
      <ul>
        {groups.map(({ name, users }) => (
          <li key={name}>
            <bdi>{name}</bdi> <small class="mute">{users}</small>
          </li>
        ))}
      </ul>
    </details>
  )
}
