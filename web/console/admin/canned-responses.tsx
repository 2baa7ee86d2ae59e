import { useState } from 'preact/hooks'
import {
  AdminCannedDocument,
  AdminOrganizationsDocument,
  CreateCannedDocument,
  DeleteCannedDocument,
  UpdateCannedDocument,
  type AdminCannedQuery,
} from '../../shared/graphql/admin.js'
import { useOffice } from '../office.js'
import { FormDialog, type FieldSpec, type Values } from './form-dialog.js'
import { EditButton, Section, Table } from './section.js'
import { usePages } from './use-pages.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

type Response = AdminCannedQuery['cannedResponses']['edges'][number]['node']

/** Texts that all agents of an organization insert by a shortcut. */
export function CannedResponses() {
  const office = useOffice()
  const pages = usePages(AdminCannedDocument, ({ cannedResponses }) => cannedResponses)
  const organizations = useQuery(AdminOrganizationsDocument, {})
  const [edited, edit] = useState<Response | 'new' | null>(null)
  const own = words.canned
  const names = (organizations.data?.organizations.edges ?? []).map(
    ({ node: { id, displayName, name } }) => [id, displayName ?? name] as const,
  )
  const nameOf = new Map(names)
  const changed = (): void => {
    pages.refresh()
    office.reload()
  }
  const save = async (values: Values): Promise<void> => {
    const patch = { shortcut: values.shortcut as string, text: values.text as string }
    if (edited === 'new') {
      const organization = (values.organization as string) || null
      await office.request(CreateCannedDocument, { input: { ...patch, organization } })
    } else await office.request(UpdateCannedDocument, { id: edited!.id, patch })
    changed()
  }
  const remove = async (id: string): Promise<void> => {
    await office.request(DeleteCannedDocument, { id })
    changed()
  }
  const present = edited === 'new' || edited === null ? null : edited
  const fields: FieldSpec[] = [
    { name: 'shortcut', label: own.shortcut, help: own.shortcutHelp, value: present?.shortcut ?? '', isRequired: true },
    { name: 'text', label: own.text, kind: 'lines', help: own.textHelp, value: present?.text ?? '', isRequired: true },
  ]
  const organization: FieldSpec = {
    name: 'organization',
    label: own.organization,
    kind: 'select',
    value: office.me.value?.organizationId ?? names[0]?.[0],
    options: names,
  }
  return (
    <Section
      title={words.sections.canned}
      lead={own.help}
      answer={pages}
      action={{ label: own.add, run: () => edit('new') }}
    >
      {pages.rows.length > 0 && (
        <Table label={words.sections.canned} heads={[own.shortcut, own.text, own.organization, '']}>
          {pages.rows.map((response) => (
            <tr key={response.id}>
              <th scope="row" class="mono">
                ;{response.shortcut}
              </th>
              <td dir="auto">{response.text}</td>
              <td>
                <bdi>{nameOf.get(response.organizationId)}</bdi>
              </td>
              <EditButton name={response.shortcut} run={() => edit(response)} />
            </tr>
          ))}
        </Table>
      )}
      {pages.more && (
        <button class="btn" onClick={pages.more}>
          {words.more}
        </button>
      )}
      {pages.data && pages.rows.length === 0 && <p class="mid">{words.none}</p>}
      {edited && (
        <FormDialog
          key={present?.id ?? 'new'}
          title={present ? `;${present.shortcut}` : own.addTitle}
          close={() => edit(null)}
          save={save}
          remove={present ? { ask: words.removeAsk(present.shortcut), run: () => remove(present.id) } : undefined}
          fields={present ? fields : [...fields, organization]}
        />
      )}
    </Section>
  )
}
