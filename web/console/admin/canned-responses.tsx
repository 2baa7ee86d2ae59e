import { useState } from 'preact/hooks'
import {
  AdminCannedDocument,
  CreateCannedDocument,
  DeleteCannedDocument,
  UpdateCannedDocument,
  type AdminCannedQuery,
} from '../../generated/admin.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, type FieldSpec, type Values } from './form-dialog.js'
import { EditButton, Empty, More, Section, Table } from './section.js'
import { useOrganizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Response = AdminCannedQuery['cannedResponses']['edges'][number]['node']

/** Texts that all agents of an organization insert by a shortcut. */
export function CannedResponses() {
  const store = useStore()
  const pages = usePages(AdminCannedDocument, ({ cannedResponses }) => cannedResponses, 'cannedResponse')
  const organizations = useOrganizations()
  const [edited, edit] = useState<Response | 'new' | null>(null)
  const own = words.canned
  const changed = (): void => {
    pages.refresh()
    store.reload()
  }
  const save = async (values: Values): Promise<void> => {
    const patch = { shortcut: values.shortcut as string, text: values.text as string }
    if (edited === 'new') {
      const organization = (values.organization as string) || null
      await store.request(CreateCannedDocument, { input: { ...patch, organization } })
    } else
      await store.request(UpdateCannedDocument, { id: edited!.id, patch: { ...patch, ifVersion: edited!.version } })
    changed()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteCannedDocument, { id })
    changed()
  }
  const present = edited === 'new' || edited === null ? null : edited
  const fields: FieldSpec[] = [
    { name: 'shortcut', label: own.shortcut, help: own.shortcutHelp, value: present?.shortcut ?? '', isRequired: true },
    { name: 'text', label: own.text, kind: 'lines', help: own.textHelp, value: present?.text ?? '', isRequired: true },
  ]
  return (
    <Section
      title={words.sections.canned}
      lead={own.help}
      answer={pages}
      action={{ label: own.add, run: () => edit('new') }}
    >
      {pages.rows.length > 0 && (
        <Table label={words.sections.canned} heads={[own.shortcut, own.text, words.organization, '']}>
          {pages.rows.map((response) => (
            <tr key={response.id}>
              <th scope="row" class="mono">
                ;{response.shortcut}
              </th>
              <td dir="auto">{response.text}</td>
              <td>
                <bdi>{organizations.nameOf(response.organizationId)}</bdi>
              </td>
              <EditButton name={response.shortcut} run={() => edit(response)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={pages.more} />
      {pages.data && pages.rows.length === 0 && <Empty icon="canned" says={words.canned.none} />}
      {edited && (
        <FormDialog
          key={present?.id ?? 'new'}
          record={present?.id}
          title={present ? `;${present.shortcut}` : own.addTitle}
          close={() => edit(null)}
          save={save}
          remove={present ? { ask: words.removeAsk(present.shortcut), run: () => remove(present.id) } : undefined}
          fields={present ? fields : [...fields, organizations.field]}
        />
      )}
    </Section>
  )
}
