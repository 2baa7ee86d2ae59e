import { useState } from 'preact/hooks'
import {
  AdminOrganizationsDocument,
  CreateOrganizationDocument,
  UpdateOrganizationDocument,
  type AdminOrganizationsQuery,
} from '../../shared/graphql/admin.js'
import { useOffice } from '../office.js'
import { FormDialog, linesOf, type Values } from './form-dialog.js'
import { EditButton, Section, Table } from './section.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

type Organization = AdminOrganizationsQuery['organizations']['edges'][number]['node']

/** The organizations of three levels, with their categories, words to avoid and bot commands (2.4). */
export function Organizations() {
  const office = useOffice()
  const answer = useQuery(AdminOrganizationsDocument, {})
  const [edited, edit] = useState<Organization | 'new' | null>(null)
  const own = words.organizations
  const all = answer.data?.organizations.edges.map(({ node }) => node) ?? []
  const nameOf = ({ displayName, name }: Organization): string => displayName ?? name
  const save = async (organization: Organization, values: Values): Promise<void> => {
    const forms = new Map(organization.categories?.map(({ name, formIds }) => [name, formIds]))
    const patch = {
      name: values.name as string,
      displayName: (values.displayName as string) || null,
      categories: linesOf(values.categories).map((name) => ({ name, forms: [...(forms.get(name) ?? [])] })),
      stopwords: linesOf(values.stopwords),
      commands: linesOf(values.commands),
    }
    await office.request(UpdateOrganizationDocument, { id: organization.id, patch })
    answer.refresh()
    office.reload()
  }
  const create = async ({ name, parent }: Values): Promise<void> => {
    await office.request(CreateOrganizationDocument, { input: { name: name as string, parent: parent as string } })
    answer.refresh()
  }
  return (
    <Section title={words.sections.organizations} answer={answer} action={{ label: own.add, run: () => edit('new') }}>
      {all.length > 0 && (
        <Table
          label={words.sections.organizations}
          heads={[words.name, own.level(1).replace(/\d/, ''), own.categories, '']}
        >
          {all.map((organization) => (
            <tr key={organization.id}>
              <th scope="row">
                <bdi>{nameOf(organization)}</bdi>
              </th>
              <td>{organization.level}</td>
              <td>
                <bdi>{organization.categories?.map(({ name }) => name).join(', ')}</bdi>
              </td>
              <EditButton name={nameOf(organization)} run={() => edit(organization)} />
            </tr>
          ))}
        </Table>
      )}
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
              options: all.filter(({ level }) => level < 3).map((each) => [each.id, nameOf(each)]),
            },
          ]}
        />
      )}
      {edited && edited !== 'new' && (
        <FormDialog
          title={nameOf(edited)}
          close={() => edit(null)}
          save={(values) => save(edited, values)}
          fields={[
            { name: 'name', label: words.name, value: edited.name, isRequired: true },
            { name: 'displayName', label: own.displayName, value: edited.displayName ?? '' },
            {
              name: 'categories',
              label: own.categories,
              kind: 'lines',
              help: own.categoriesHelp,
              value: edited.categories?.map(({ name }) => name).join('\n') ?? '',
            },
            {
              name: 'stopwords',
              label: own.stopwords,
              kind: 'lines',
              help: own.stopwordsHelp,
              value: edited.stopwords?.join('\n') ?? '',
            },
            {
              name: 'commands',
              label: own.commands,
              kind: 'lines',
              help: own.commandsHelp,
              value: edited.commands?.join('\n') ?? '',
            },
          ]}
        />
      )}
    </Section>
  )
}
