import { useState } from 'preact/hooks'
import {
  AdminGroupsDocument,
  CreateGroupDocument,
  DeleteGroupDocument,
  UpdateGroupDocument,
  type AdminGroupsQuery,
} from '../../generated/admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, type Values } from './form-dialog.js'
import { EditButton, More, Table } from './section.js'
import type { Organizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Group = AdminGroupsQuery['organizationGroups']['edges'][number]['node']

/** Organizations under one name, to which workflows can be limited (2.5, 2.7). */
export function Groups({ organizations }: { organizations: Organizations }) {
  const store = useStore()
  const pages = usePages(AdminGroupsDocument, ({ organizationGroups }) => organizationGroups, 'organizationGroup')
  const [edited, edit] = useState<Group | 'new' | null>(null)
  const own = words.groups
  const save = async ({ name, members }: Values): Promise<void> => {
    const input = { name: name as string, members: members as string[] }
    if (edited === 'new') await store.request(CreateGroupDocument, { input })
    else await store.request(UpdateGroupDocument, { id: edited!.id, patch: { ...input, ifVersion: edited!.version } })
    pages.refresh()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteGroupDocument, { id })
    pages.refresh()
  }
  const present = edited === 'new' ? null : edited
  return (
    <section class="stack">
      <div class="line">
        <h2>{own.title}</h2>
        <button class="btn small push" onClick={() => edit('new')}>
          <Icon name="plus" size="s" />
          {own.add}
        </button>
      </div>
      <p class="mid">{own.help}</p>
      {pages.rows.length > 0 && (
        <Table label={own.title} heads={[words.name, own.members, '']}>
          {pages.rows.map((group) => (
            <tr key={group.id}>
              <th scope="row">
                <bdi>{group.name}</bdi>
              </th>
              <td>
                <bdi>{group.memberIds.map((id) => organizations.nameOf(id)).join(', ')}</bdi>
              </td>
              <EditButton name={group.name} run={() => edit(group)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={pages.more} />
      {edited && (
        <FormDialog
          key={present?.id ?? 'new'}
          record={present?.id}
          title={present?.name ?? own.addTitle}
          close={() => edit(null)}
          save={save}
          remove={present ? { ask: words.removeAsk(present.name), run: () => remove(present.id) } : undefined}
          fields={[
            { name: 'name', label: words.name, value: present?.name ?? '', isRequired: true },
            {
              name: 'members',
              label: own.members,
              kind: 'checks',
              value: present?.memberIds ?? [],
              options: organizations.options,
              more: organizations.more,
            },
          ]}
        />
      )}
    </section>
  )
}
