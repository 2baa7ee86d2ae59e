import { useState } from 'preact/hooks'
import {
  AdminFormsDocument,
  CreateFormDocument,
  DeleteFormDocument,
  UpdateFormDocument,
  type AdminFormsQuery,
} from '../../generated/admin.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, linesOf, type FieldSpec, type Values } from './form-dialog.js'
import { FormFields, inputsOf, newQuestion, questionOf, type Question } from './form-fields.js'
import { EditButton, Empty, More, Section, Table } from './section.js'
import { useOrganizations, type Organizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Form = AdminFormsQuery['forms']['edges'][number]['node']

/** Forms that consumers are asked to fill in (2.11, 2.12). */
export function Forms() {
  const pages = usePages(AdminFormsDocument, ({ forms }) => forms, 'form')
  const organizations = useOrganizations()
  const [edited, edit] = useState<Form | 'new' | null>(null)
  const own = words.forms
  return (
    <Section
      title={words.sections.forms}
      lead={own.help}
      answer={pages}
      action={{ label: own.add, run: () => edit('new') }}
    >
      {pages.rows.length > 0 && (
        <Table label={words.sections.forms} heads={[words.name, own.fields, own.where, words.organization, '']}>
          {pages.rows.map((form) => (
            <tr key={form.id}>
              <th scope="row">
                <bdi>{form.name}</bdi>
              </th>
              <td>
                <bdi>{form.fields.map(({ label }) => label).join(', ')}</bdi>
              </td>
              <td>{form.isStatic ? own.always : own.byCategory}</td>
              <td>
                <bdi>{form.isTemplate ? own.template : organizations.nameOf(form.organizationId)}</bdi>
              </td>
              {form.isTemplate ? <td /> : <EditButton name={form.name} run={() => edit(form)} />}
            </tr>
          ))}
        </Table>
      )}
      <More more={pages.more} />
      {pages.data && pages.rows.length === 0 && <Empty icon="form" says={words.forms.none} />}
      {edited && (
        <EditForm
          key={edited === 'new' ? 'new' : edited.id}
          form={edited === 'new' ? null : edited}
          organizations={organizations}
          close={() => edit(null)}
          changed={pages.refresh}
        />
      )}
    </Section>
  )
}

interface EditFormProps {
  form: Form | null
  organizations: Organizations
  close(): void
  changed(): void
}

function EditForm({ form, organizations, close, changed }: EditFormProps) {
  const store = useStore()
  const own = words.forms
  const [questions, setQuestions] = useState<readonly Question[]>(form?.fields.map(questionOf) ?? [newQuestion()])
  const save = async (values: Values): Promise<void> => {
    const patch = {
      name: values.name as string,
      isStatic: values.isStatic === 'static',
      email: linesOf(values.email),
      fields: inputsOf(questions),
      tags: linesOf(values.tags),
    }
    if (form) await store.request(UpdateFormDocument, { id: form.id, patch: { ...patch, ifVersion: form.version } })
    else {
      const input = { ...patch, organization: (values.organization as string) || null }
      await store.request(CreateFormDocument, { input })
    }
    changed()
  }
  const remove = async (): Promise<void> => {
    await store.request(DeleteFormDocument, { id: form!.id })
    changed()
  }
  const fields: FieldSpec[] = [
    { name: 'name', label: words.name, value: form?.name ?? '', isRequired: true },
    {
      name: 'isStatic',
      label: own.where,
      kind: 'select',
      help: own.whereHelp,
      value: form?.isStatic ? 'static' : 'topic',
      options: [
        ['topic', own.byCategory],
        ['static', own.always],
      ],
    },
    { name: 'email', label: own.email, kind: 'lines', help: own.emailHelp, value: form?.email.join('\n') ?? '' },
    { name: 'tags', label: words.tags, kind: 'lines', help: words.tagsHelp, value: form?.tags.join('\n') ?? '' },
  ]
  return (
    <FormDialog
      title={form?.name ?? own.addTitle}
      record={form?.id}
      close={close}
      save={save}
      remove={form ? { ask: words.removeAsk(form.name), run: remove } : undefined}
      fields={form ? fields : [...fields, organizations.field]}
    >
      <FormFields questions={questions} set={setQuestions} />
    </FormDialog>
  )
}
