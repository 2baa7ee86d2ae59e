import { useState } from 'preact/hooks'
import { AdminHoldsDocument, ReleaseHoldDocument, type AdminHoldsQuery } from '../../../generated/privacy.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { RequestDialog } from '../../request-dialog.js'
import { useStore } from '../../store/console-store.js'
import { More, Table } from '../section.js'
import { usePages } from '../use-pages.js'
import { words as admin } from '../words.js'
import { HoldDialog } from './hold-dialog.js'
import { orProposed } from './proposed.js'
import { words } from './words.js'

type Hold = AdminHoldsQuery['holds']['edges'][number]['node']

interface HoldsProps {
  nameOf(organization: string): string
  /** Called when erasures may go on, or are blocked. */
  changed(): void
}

/** Holds, by which nothing of what they name is lost. */
export function Holds({ nameOf, changed }: HoldsProps) {
  const pages = usePages(AdminHoldsDocument, ({ holds }) => holds, null)
  const [isMaking, make] = useState(false)
  const [released, release] = useState<Hold | null>(null)
  const ended = (isDone: boolean): void => {
    make(false)
    release(null)
    if (!isDone) return
    pages.refresh()
    changed()
  }
  const button = (
    <button class="btn push" onClick={() => make(true)}>
      {words.hold.make}
    </button>
  )
  return (
    <>
      <Table
        label={words.hold.holds}
        action={button}
        heads={[admin.name, words.hold.keeps, words.reason, words.state, words.hold.made, admin.organization, '']}
      >
        {pages.rows.map((hold) => (
          <Row key={hold.id} hold={hold} organization={nameOf(hold.organizationId)} release={() => release(hold)} />
        ))}
      </Table>
      {pages.data && pages.rows.length === 0 && <p class="hint">{words.hold.none}</p>}
      <More more={pages.more} />
      {isMaking && <HoldDialog close={ended} />}
      {released && <ReleaseDialog hold={released} close={ended} />}
    </>
  )
}

interface RowProps {
  hold: Hold
  organization: string
  release(): void
}

function Row({ hold, organization, release }: RowProps) {
  const now = useStore().now.value
  const { id, name, reason, contacts, conversations, users, from, to, releasedAt, createdAt } = hold
  const kept = words.hold.counts({
    contacts: contacts.length,
    conversations: conversations.length,
    users: users.length,
  })
  const day = (at: string | null): string => (at ? dayTime(at, now) : '…')
  return (
    <tr>
      <th scope="row">
        <a href={`/console/admin/audit/${id}`} title={words.history}>
          <bdi>{name}</bdi>
        </a>
      </th>
      <td>{[...kept, ...(from || to ? [`${day(from)} – ${day(to)}`] : [])].join(', ')}</td>
      <td>
        <bdi>{reason}</bdi>
      </td>
      <td>
        {releasedAt ? (
          <span class="tag">{words.hold.released}</span>
        ) : (
          <span class="tag warn">{words.hold.holding}</span>
        )}
      </td>
      <td>
        <time dateTime={createdAt}>{dayTime(createdAt, now)}</time>
      </td>
      <td>
        <bdi>{organization}</bdi>
      </td>
      <td>
        {!releasedAt && (
          <button class="btn ghost small" aria-label={`${words.hold.release}: ${name}`} onClick={release}>
            {words.hold.release}
          </button>
        )}
      </td>
    </tr>
  )
}

/** Asks for confirmation: what waits for it is erased. */
function ReleaseDialog({ hold, close }: { hold: Hold; close(isDone: boolean): void }) {
  const store = useStore()
  const submit = () => orProposed(store.request(ReleaseHoldDocument, { id: hold.id }))
  return (
    <RequestDialog
      title={words.hold.releaseTitle}
      label={words.hold.release}
      icon="alert"
      tone="danger"
      submit={submit}
      close={close}
    >
      <p>
        <b>
          <bdi>{hold.name}</bdi>
        </b>
      </p>
      <p>{words.hold.releaseHelp}</p>
    </RequestDialog>
  )
}
