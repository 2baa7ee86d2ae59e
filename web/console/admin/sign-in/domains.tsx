import { Refused } from '@switchboard/client'
import { useState } from 'preact/hooks'
import {
  AddDomainDocument,
  AdminDomainsDocument,
  RemoveDomainDocument,
  VerifyDomainDocument,
  type AdminDomainFragment,
} from '../../../generated/admin-sign-in.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useStore } from '../../store/console-store.js'
import { FormDialog, type Values } from '../form-dialog.js'
import { More } from '../section.js'
import type { Organizations } from '../use-organizations.js'
import { usePages } from '../use-pages.js'
import { faultText, isProposed } from '../fault-text.js'
import { words as admin } from '../words.js'
import { CopyLine } from './copy-line.js'
import { words } from './words.js'

/** A verified domain whose record is missing counts for so long. */
const GRACE_MS = 7 * 86_400_000

const TONES = { PENDING: 'tag warn', VERIFIED: 'tag good', MISSING: 'tag bad' } as const

/** The domains of emails, with the record that proves each. */
export function Domains({ organizations }: { organizations: Organizations }) {
  const store = useStore()
  const { rows, data, error, refresh, more } = usePages(AdminDomainsDocument, ({ domains }) => domains, 'domain')
  const [adds, setAdds] = useState(false)
  const add = async (values: Values): Promise<void> => {
    const input = { name: (values.name as string).trim(), organization: (values.organization as string) || null }
    try {
      await store.request(AddDomainDocument, { input })
    } catch (failure) {
      throw inWords(failure as Error, '')
    }
    refresh()
  }
  return (
    <section class="box" aria-label={words.domains} aria-busy={data === null && !error}>
      <header>
        <Icon name="mail" />
        <h2>{words.domains}</h2>
        <button type="button" class="btn small push" onClick={() => setAdds(true)}>
          <Icon name="plus" size="s" />
          {words.addDomain}
        </button>
      </header>
      <ErrorHint text={error?.message} />
      {data && rows.length === 0 && (
        <p class="pad mid">
          {words.noDomains[0]}. {words.noDomains[1]}
        </p>
      )}
      {rows.map((domain) => (
        <DomainRow
          key={domain.id}
          domain={domain}
          organization={organizations.options.length > 1 ? organizations.nameOf(domain.organizationId) : ''}
          refresh={refresh}
        />
      ))}
      <More more={more} />
      {adds && (
        <FormDialog
          title={words.addDomainTitle}
          close={() => setAdds(false)}
          save={add}
          fields={[
            { name: 'name', label: words.domain, help: words.domainHelp, isRequired: true },
            organizations.field,
          ]}
        />
      )}
    </section>
  )
}

interface DomainRowProps {
  domain: AdminDomainFragment
  organization: string
  refresh(): void
}

function DomainRow({ domain, organization, refresh }: DomainRowProps) {
  const store = useStore()
  const [said, say] = useState<{ text: string; isFault: boolean } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const { id, name, status, checkedAt, missingSince, record } = domain
  const now = store.now.value
  const run = (work: Promise<unknown>, done: string | null): void => {
    if (isBusy) return
    setBusy(true)
    say(null)
    work
      .then(
        () => say(done === null ? null : { text: done, isFault: false }),
        (error: Error) => say({ text: faultText(inWords(error, record.name)), isFault: !isProposed(error) }),
      )
      .finally(() => {
        setBusy(false)
        refresh()
      })
  }
  const verify = (): void => run(store.request(VerifyDomainDocument, { id }), words.isVerified(name))
  const remove = (): void => run(store.request(RemoveDomainDocument, { id }), null)
  return (
    <div class="part" role="group" aria-label={name}>
      <div class="set">
        <span>
          <span class="line">
            <bdi>{name}</bdi>
            <span class={TONES[status]}>{words.domainStates[status]}</span>
          </span>
          <small>
            {[organization, checkedAt && words.checked(dayTime(checkedAt, now))].filter(Boolean).join(' · ')}
          </small>
          <p role={said?.isFault ? 'alert' : 'status'} class={said ? `hint ${said.isFault ? 'bad' : 'good'}` : 'vh'}>
            {said?.text}
          </p>
        </span>
        <span class="line">
          {status !== 'VERIFIED' && (
            <button
              type="button"
              class="btn small"
              aria-label={`${words.verify}: ${name}`}
              aria-disabled={isBusy}
              onClick={verify}
            >
              {words.verify}
            </button>
          )}
          <button
            type="button"
            class="btn ghost small danger"
            aria-label={`${asks ? words.removeAsk : admin.remove}: ${name}`}
            onClick={() => (asks ? remove() : setAsks(true))}
          >
            {asks ? words.removeAsk : admin.remove}
          </button>
        </span>
      </div>
      {status !== 'VERIFIED' && (
        <div class="stack pad">
          {missingSince && <p class="bad">{words.missing(dayTime(Date.parse(missingSince) + GRACE_MS, now))}</p>}
          <p class="mid">{words.record}</p>
          <CopyLine label={words.recordName} text={record.name} />
          <CopyLine label={words.recordValue} text={record.value} />
        </div>
      )}
    </div>
  )
}

/** The refusal in the user's words, at its field; one of another kind as it is. */
function inWords(error: Error, record: string): Error {
  if (!(error instanceof Refused)) return error
  const text =
    error.reason === 'DOMAIN_UNPROVEN'
      ? words.unproven(record)
      : error.reason === 'DOMAIN_TAKEN'
        ? words.domainTaken
        : error.reason === 'NAME_TAKEN'
          ? words.domainKnown
          : error.code === 'UNAVAILABLE'
            ? words.noDns
            : error.code === 'RATE_LIMITED'
              ? words.tooManyLooks
              : null
  return text === null ? error : new Refused(text, error.code, error.field, error.retryAfterSeconds, error.reason)
}
