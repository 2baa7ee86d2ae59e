import { useState } from 'preact/hooks'
import {
  AdminLabelsDocument,
  ArchiveLabelDocument,
  CreateLabelDocument,
  UpdateLabelDocument,
  type AdminLabelsQuery,
} from '../../generated/admin.js'
import { LabelChips } from '../labels/label-chips.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, type FieldSpec, type Values } from './form-dialog.js'
import { EditButton, Empty, More, Section, Table } from './section.js'
import { useOrganizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Label = AdminLabelsQuery['labels']['edges'][number]['node']

/** Labels that agents put on conversations. */
export function Labels() {
  const store = useStore()
  const pages = usePages(AdminLabelsDocument, ({ labels }) => labels, 'label')
  const organizations = useOrganizations()
  const [edited, edit] = useState<Label | 'new' | null>(null)
  const own = words.labels
  const present = edited === 'new' ? null : edited
  const changed = (): void => {
    pages.refresh()
    store.reload()
  }
  const save = async (values: Values): Promise<void> => {
    const hue = values.hue === '' ? null : Number(values.hue)
    const name = values.name as string
    if (present) await store.request(UpdateLabelDocument, { id: present.id, patch: { name, hue: hue ?? present.hue } })
    else {
      const organization = (values.organization as string) || null
      await store.request(CreateLabelDocument, { input: { name, hue, organization } })
    }
    changed()
  }
  const archive = async ({ id, archivedAt }: Label): Promise<void> => {
    await store.request(ArchiveLabelDocument, { id, isArchived: archivedAt === null })
    changed()
  }
  const fields: FieldSpec[] = [
    { name: 'name', label: words.name, value: present?.name ?? '', isRequired: true },
    { name: 'hue', label: own.hue, value: present ? String(present.hue) : '' },
  ]
  return (
    <Section
      title={words.sections.labels}
      lead={own.lead}
      answer={pages}
      action={{ label: own.add, run: () => edit('new') }}
    >
      {pages.rows.length > 0 && (
        <Table label={words.sections.labels} heads={[words.name, own.state, words.organization, '']}>
          {pages.rows.map((label) => (
            <tr key={label.id}>
              <th scope="row">
                <LabelChips labels={[label]} />
              </th>
              <td>{label.archivedAt ? own.archived : own.used}</td>
              <td>
                <bdi>{organizations.nameOf(label.organizationId)}</bdi>
              </td>
              <EditButton name={label.name} run={() => edit(label)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={pages.more} />
      {pages.data && pages.rows.length === 0 && <Empty icon="tag" says={own.none} />}
      {edited && (
        <FormDialog
          key={present?.id ?? 'new'}
          record={present?.id}
          title={present?.name ?? own.addTitle}
          close={() => edit(null)}
          save={save}
          extra={
            present ? { label: present.archivedAt ? own.restore : own.archive, run: () => archive(present) } : undefined
          }
          fields={present ? fields : [...fields, organizations.field]}
        >
          {present && <p class="hint">{own.archiveAsk}</p>}
        </FormDialog>
      )}
    </Section>
  )
}
