import { AdminErasuresDocument, LateErasuresDocument, type AdminErasuresQuery } from '../../../generated/privacy.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useStore } from '../../store/console-store.js'
import { Empty, More, Section, Table } from '../section.js'
import { useOrganizations } from '../use-organizations.js'
import { usePages } from '../use-pages.js'
import { useQuery } from '../use-query.js'
import { words as admin } from '../words.js'
import { AllExports } from './all-exports.js'
import { Blocked } from './blocked.js'
import { DataKept } from './data-kept.js'
import { ErasureList } from './erasure-list.js'
import { FourEyes } from './four-eyes.js'
import { Holds } from './holds.js'
import { Retention } from './retention.js'
import { Waiting } from './waiting.js'
import { usePrivacyWords, words } from './words.js'

type Erasure = AdminErasuresQuery['contactErasures']['edges'][number]['node']

const TONES = {
  REQUESTED: 'tag warn',
  BLOCKED: 'tag bad',
  WITHDRAWING: 'tag warn',
  ERASING: 'tag warn',
  DONE: 'tag good',
} as const

/** All that an officer for data protection answers for: erasures and what of them fails or waits, what is kept how long, holds, exports. */
export default function Privacy() {
  const isLoaded = usePrivacyWords()
  const answer = usePages(AdminErasuresDocument, ({ contactErasures }) => contactErasures, null)
  const organizations = useOrganizations()
  if (!isLoaded) return <main class="col" id="main" tabIndex={-1} aria-busy="true" />
  const { data, rows, more } = answer
  return (
    <Section title={admin.sections.privacy} lead={words.lead} answer={answer}>
      <Waiting nameOf={organizations.nameOf} changed={answer.refresh} />
      <Failing />
      <Blocked />
      {rows.length > 0 && (
        <Table
          label={words.erasures}
          heads={[words.contact, words.state, words.reason, words.erased, words.asked, words.done, admin.organization]}
        >
          {rows.map((erasure) => (
            <Row key={erasure.id} erasure={erasure} organization={organizations.nameOf(erasure.organizationId)} />
          ))}
        </Table>
      )}
      <More more={more} />
      {data && rows.length === 0 && <Empty icon="check" says={words.none} />}
      <ErasureList />
      <DataKept organizations={organizations} />
      <Retention organizations={organizations} />
      <Holds nameOf={organizations.nameOf} changed={answer.refresh} />
      <AllExports nameOf={organizations.nameOf} />
      <FourEyes />
    </Section>
  )
}

function Row({ erasure, organization }: { erasure: Erasure; organization: string }) {
  const now = useStore().now.value
  const { contactId, status, blockedBy, reason, conversations, messages, attachments, notes, createdAt, finishedAt } =
    erasure
  return (
    <tr>
      <th scope="row">
        <a class="mono" href={`/console/admin/audit/${contactId}`} title={words.history}>
          {contactId}
        </a>
      </th>
      <td>
        <span class={TONES[status]}>{words.states[status]}</span>
        {blockedBy.length > 0 && (
          <>
            {' '}
            <bdi>{blockedBy.map(({ name }) => name).join(', ')}</bdi>
          </>
        )}
      </td>
      <td>{words.reasons[reason]}</td>
      <td>{words.counts({ conversations, messages, attachments, notes })}</td>
      <td>
        <time dateTime={createdAt}>{dayTime(createdAt, now)}</time>
      </td>
      <td>{finishedAt ? <time dateTime={finishedAt}>{dayTime(finishedAt, now)}</time> : '–'}</td>
      <td>
        <bdi>{organization}</bdi>
      </td>
    </tr>
  )
}

/** Says that an erasure fails: it is tried again, but somebody has to look why. */
function Failing() {
  const { data } = useQuery(LateErasuresDocument, {})
  const failing = data?.erasures.filter(({ isFailing }) => isFailing) ?? []
  if (failing.length === 0) return null
  return (
    <p class="band warn" role="alert">
      <Icon name="alert" />
      {words.failing(failing.length)}
    </p>
  )
}
