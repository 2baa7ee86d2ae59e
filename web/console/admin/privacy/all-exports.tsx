import { AllExportsDocument } from '../../../generated/data-kept.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { useStore } from '../../store/console-store.js'
import { More, Table } from '../section.js'
import { usePages } from '../use-pages.js'
import { words as admin } from '../words.js'
import { words } from './words.js'

/** Exports of all contacts: who asked for each, and until when its file is there. */
export function AllExports({ nameOf }: { nameOf(organization: string): string }) {
  const now = useStore().now.value
  const { rows, more } = usePages(AllExportsDocument, ({ contactExports }) => contactExports, null)
  if (rows.length === 0) return null
  return (
    <>
      <Table
        label={words.exports}
        action={null}
        heads={[words.contact, words.state, words.kept.by, words.asked, admin.organization]}
      >
        {rows.map(({ id, contactId, status, notes, requestedBy, createdAt, expiresAt, organizationId }) => (
          <tr key={id}>
            <th scope="row">
              <a class="mono" href={`/console/contacts/${contactId}`}>
                {contactId}
              </a>
            </th>
            <td>
              {words.exportStates[status]}
              {status === 'READY' && expiresAt && ` ${words.until(dayTime(expiresAt, now))}`}
              {notes && `, ${words.notesToo}`}
            </td>
            <td>
              <bdi>{requestedBy?.displayName ?? '–'}</bdi>
            </td>
            <td>
              <time dateTime={createdAt}>{dayTime(createdAt, now)}</time>
            </td>
            <td>
              <bdi>{nameOf(organizationId)}</bdi>
            </td>
          </tr>
        ))}
      </Table>
      <More more={more} />
    </>
  )
}
