import { useState } from 'preact/hooks'
import {
  ApproveChangeDocument,
  RefuseChangeDocument,
  WaitingChangesDocument,
  WithdrawChangeDocument,
  type WaitingChangesQuery,
} from '../../../generated/four-eyes.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { RequestDialog } from '../../request-dialog.js'
import { useStore } from '../../store/console-store.js'
import { More, Table } from '../section.js'
import { usePages } from '../use-pages.js'
import { words as admin } from '../words.js'
import { words } from './words.js'

type Change = WaitingChangesQuery['pendingChanges']['edges'][number]['node']
type Deed = 'approve' | 'refuse' | 'withdraw'

interface WaitingProps {
  nameOf(organization: string): string
  /** Called when a change was carried out. */
  changed(): void
}

/** Changes that wait for a second administrator: what each would do, and who decides. */
export function Waiting({ nameOf, changed }: WaitingProps) {
  const store = useStore()
  const pages = usePages(WaitingChangesDocument, ({ pendingChanges }) => pendingChanges, 'pendingChange')
  const [asked, ask] = useState<{ change: Change; deed: Deed } | null>(null)
  const [token, show] = useState<string | null>(null)
  const me = store.organization.me.value?.id
  const own = words.fourEyes
  const closed = (isDone: boolean): void => {
    ask(null)
    if (!isDone) return
    pages.refresh()
    changed()
  }
  if (pages.rows.length === 0 && token === null) return null
  return (
    <>
      {token !== null && (
        <p class="band warn" role="status">
          {own.token} <code>{token}</code>
        </p>
      )}
      <Table label={own.waiting} action={null} heads={[own.what, own.proposedBy, own.until, admin.organization, '']}>
        {pages.rows.map((change) => (
          <Row
            key={change.id}
            change={change}
            organization={nameOf(change.organizationId)}
            isOwn={change.proposedById === me}
            ask={(deed) => ask({ change, deed })}
          />
        ))}
      </Table>
      <More more={pages.more} />
      {asked && <DecideDialog {...asked} show={show} close={closed} />}
    </>
  )
}

interface RowProps {
  change: Change
  organization: string
  isOwn: boolean
  ask(deed: Deed): void
}

function Row({ change, organization, isOwn, ask }: RowProps) {
  const now = useStore().now.value
  const { id, proposedBy, expiresAt } = change
  const own = words.fourEyes
  return (
    <tr>
      <th scope="row">
        <a href={`/console/admin/audit/${id}`} title={words.history}>
          <bdi>{titleOf(change)}</bdi>
        </a>
        <Details change={change} />
      </th>
      <td>
        <bdi>{isOwn ? own.you : (proposedBy?.displayName ?? '–')}</bdi>
      </td>
      <td>
        <time dateTime={expiresAt}>{dayTime(expiresAt, now)}</time>
      </td>
      <td>
        <bdi>{organization}</bdi>
      </td>
      <td>
        <span class="line">
          {isOwn ? (
            <button class="btn ghost small" aria-label={labelOf(own.withdraw, change)} onClick={() => ask('withdraw')}>
              {own.withdraw}
            </button>
          ) : (
            <>
              <button class="btn ghost small" aria-label={labelOf(own.approve, change)} onClick={() => ask('approve')}>
                {own.approve}
              </button>
              <button class="btn ghost small" aria-label={labelOf(own.refuse, change)} onClick={() => ask('refuse')}>
                {own.refuse}
              </button>
            </>
          )}
        </span>
      </td>
    </tr>
  )
}

/** Says in words what a change does. */
function titleOf({ operation, objectName }: Change): string {
  const { deeds } = words.fourEyes
  const deed = deeds[operation as keyof typeof deeds] ?? operation
  return objectName === null ? deed : `${deed}: ${objectName}`
}

/** Tells buttons of changes without a name apart. */
const labelOf = (act: string, change: Change): string =>
  [`${act}: ${titleOf(change)}`, ...(change.objectType === 'contact' ? [change.objectId] : [])].join(' ')

/** The settings that a change gives, by their names, and the way to the contact that goes. */
function Details({ change: { objectType, objectId, input } }: { change: Change }) {
  const given = Object.entries(valuesOf(input))
  return (
    <>
      {objectType === 'contact' && (
        <p class="mute t2">
          <a href={`/console/contacts/${objectId}`}>{words.contact}</a>
        </p>
      )}
      {given.map(([name, value]) => (
        <p key={name} class="mute t2">
          <code>{name}</code> <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
        </p>
      ))}
    </>
  )
}

/** Names of arguments that say which record it is, not what becomes of it. */
const NAMING = new Set(['id', 'organization', 'service', 'user', 'ifVersion', 'patch'])

function valuesOf(input: Record<string, unknown>): Record<string, unknown> {
  const { patch } = input
  const all = typeof patch === 'object' && patch !== null ? { ...input, ...patch } : input
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => !NAMING.has(name) && value !== undefined))
}

interface DecideDialogProps {
  change: Change
  deed: Deed
  /** Shows a new token, once. */
  show(token: string | null): void
  close(isDone: boolean): void
}

function DecideDialog({ change, deed, show, close }: DecideDialogProps) {
  const store = useStore()
  const [comment, setComment] = useState('')
  const own = words.fourEyes
  const { id } = change
  const submit = async (): Promise<unknown> => {
    if (deed === 'refuse') return store.request(RefuseChangeDocument, { id, comment: comment.trim() || null })
    if (deed === 'withdraw') return store.request(WithdrawChangeDocument, { id })
    const { approveChange } = await store.request(ApproveChangeDocument, { id })
    return show(approveChange?.token ?? null)
  }
  return (
    <RequestDialog
      title={own.titles[deed]}
      label={own[deed]}
      icon="alert"
      tone={deed === 'approve' ? 'danger' : 'primary'}
      submit={submit}
      close={close}
    >
      <p>
        <b>
          <bdi>{titleOf(change)}</bdi>
        </b>
      </p>
      <Details change={change} />
      <p>{own.helps[deed]}</p>
      {deed === 'refuse' && (
        <label class="field">
          <span>{own.comment}</span>
          <textarea
            class="in"
            dir="auto"
            rows={2}
            maxLength={500}
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
        </label>
      )}
    </RequestDialog>
  )
}
