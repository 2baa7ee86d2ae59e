import { useState } from 'preact/hooks'
import { AdminFormsDocument, CreateOrganizationDocument, UpdateOrganizationDocument } from '../../generated/admin.js'
import { useStore } from '../store/console-store.js'
import { Part } from '../lazy.js'
import { FormDialog, linesOf, type FieldSpec, type Values } from './form-dialog.js'
import { Groups } from './groups.js'
import { EditButton, More, Section, Table } from './section.js'
import { useOrganizations, type Organization } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

/** The organizations of three levels, with their categories, words to avoid and bot commands (2.4), and their groups. */
export function Organizations() {
  const store = useStore()
  const answer = useOrganizations()
  const forms = usePages(AdminFormsDocument, ({ forms: all }) => all, 'form')
  const [edited, edit] = useState<Organization | 'new' | null>(null)
  const own = words.organizations
  const all = answer.rows
  const save = async (organization: Organization, values: Values): Promise<void> => {
    await store.request(UpdateOrganizationDocument, {
      id: organization.id,
      patch: { ...patchOf(organization, values), ifVersion: organization.version },
    })
    answer.refresh()
    store.reload()
  }
  const create = async ({ name, parent }: Values): Promise<void> => {
    await store.request(CreateOrganizationDocument, { input: { name: name as string, parent: parent as string } })
    answer.refresh()
  }
  const formOptions = forms.rows.map(({ id, name }) => [id, name] as const)
  return (
    <Section title={words.sections.organizations} answer={answer} action={{ label: own.add, run: () => edit('new') }}>
      {all.length > 0 && (
        <Table label={words.sections.organizations} heads={[words.name, own.levelHead, own.categories, '']}>
          {all.map((organization) => (
            <tr key={organization.id}>
              <th scope="row">
                <span class="line">
                  <bdi>{answer.nameOf(organization.id)}</bdi>
                  {organization.botPauses.length > 0 && <span class="tag warn">{own.botsPaused}</span>}
                </span>
              </th>
              <td>{organization.level}</td>
              <td>
                <bdi>{organization.categories?.map(({ name }) => name).join(', ')}</bdi>
              </td>
              <EditButton name={answer.nameOf(organization.id)} run={() => edit(organization)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={answer.more} />
      <Groups organizations={answer} />
      {edited === 'new' && (
        <FormDialog
          title={own.addTitle}
          close={() => edit(null)}
          save={create}
          fields={[
            { name: 'name', label: words.name, isRequired: true },
            {
              name: 'parent',
              label: own.below,
              kind: 'select',
              value: all[0]?.id,
              options: all.filter(({ level }) => level < 3).map(({ id }) => [id, answer.nameOf(id)]),
            },
          ]}
        />
      )}
      {edited && edited !== 'new' && (
        <FormDialog
          title={answer.nameOf(edited.id)}
          record={edited.id}
          close={() => edit(null)}
          save={(values) => save(edited, values)}
          fields={fieldsOf(edited, formOptions, forms.more)}
        >
          <Part
            load={() => import('../bots/admin/organization-pauses.js')}
            props={{ organization: edited.id, nameOf: answer.nameOf, changed: answer.refresh }}
          />
        </FormDialog>
      )}
    </Section>
  )
}

function fieldsOf(organization: Organization, forms: FieldSpec['options'], more: FieldSpec['more']): FieldSpec[] {
  const own = words.organizations
  const { categories } = organization
  const lines = (name: 'stopwords' | 'commands', help: string): FieldSpec => {
    return { name, label: own[name], kind: 'lines', help, value: organization[name]?.join('\n') ?? '' }
  }
  return [
    { name: 'name', label: words.name, value: organization.name, isRequired: true },
    { name: 'displayName', label: own.displayName, value: organization.displayName ?? '' },
    { name: 'country', label: own.country, help: own.countryHelp, value: organization.country ?? '' },
    { name: 'timezone', label: own.timezone, help: own.timezoneHelp, value: organization.timezone ?? '' },
    {
      name: 'categories',
      label: own.categories,
      kind: 'lines',
      help: own.categoriesHelp,
      value: categories?.map(({ name }) => name).join('\n') ?? '',
    },
    ...(categories ?? []).map(({ name, formIds }): FieldSpec => ({
      name: `forms of ${name}`,
      label: own.formsOf(name),
      kind: 'checks',
      value: formIds,
      options: forms,
      more,
    })),
    lines('stopwords', own.stopwordsHelp),
    lines('commands', own.commandsHelp),
  ]
}

/** Leaves as it is what is on no page that was loaded: forms of a category by their ids. */
function patchOf({ country }: Organization, values: Values) {
  const given = (values.country as string).trim()
  return {
    name: values.name as string,
    displayName: (values.displayName as string) || null,
    ...(given !== (country ?? '') && { country: given || null }),
    timezone: (values.timezone as string).trim() || null,
    categories: linesOf(values.categories).map((name) => ({
      name,
      forms: [...((values[`forms of ${name}`] as string[] | undefined) ?? [])],
    })),
    stopwords: linesOf(values.stopwords),
    commands: linesOf(values.commands),
  }
}
