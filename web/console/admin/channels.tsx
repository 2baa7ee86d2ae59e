import { useState } from 'preact/hooks'
import {
  AdminChannelsDocument,
  AdminUsersDocument,
  CreateChannelDocument,
  DeleteChannelDocument,
  UpdateChannelDocument,
  type AdminChannelsQuery,
} from '../../generated/admin.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, type Values } from './form-dialog.js'
import { assignmentFields, assignmentIn } from './assignment-fields.js'
import { serviceLevelFields, serviceLevelIn } from './service-level-fields.js'
import { signatureHtml, signatureTyped } from '../signature-html.js'
import { surveyFields, surveyIn } from './survey-fields.js'
import { EditButton, Empty, More, Section, Table } from './section.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Channel = AdminChannelsQuery['channels']['edges'][number]['node']

/** Manages channels and their members. */
export function Channels() {
  const store = useStore()
  const answer = usePages(AdminChannelsDocument, ({ channels }) => channels, 'channel')
  const users = usePages(AdminUsersDocument, ({ users }) => users, 'user')
  const [edited, edit] = useState<Channel | 'new' | null>(null)
  const own = words.channels
  const channels = answer.rows
  const people = users.rows
    .filter(({ role, status }) => role !== 'BOT' && status !== 'ARCHIVED')
    .map(({ id, displayName }) => [id, displayName] as const)
  const save = async (values: Values): Promise<void> => {
    const supervisors = values.supervisors as string[]
    const members = [...new Set([...(values.members as string[]), ...supervisors])].map((user) => ({
      user,
      supervisor: supervisors.includes(user),
    }))
    const settings = {
      assignment: assignmentIn(values),
      serviceLevel: serviceLevelIn(values),
      survey: surveyIn(values),
      signature: signatureHtml(values.signature as string),
    }
    const input = { name: values.name as string, members, ...settings }
    if (edited === 'new') await store.request(CreateChannelDocument, { input })
    else await store.request(UpdateChannelDocument, { id: edited!.id, patch: { ...input, ifVersion: edited!.version } })
    answer.refresh()
    store.reload()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteChannelDocument, { id })
    answer.refresh()
    store.reload()
  }
  const present = edited === 'new' || edited === null ? null : edited
  return (
    <Section
      title={words.sections.channels}
      lead={own.help}
      answer={answer}
      action={{ label: own.add, run: () => edit('new') }}
    >
      {channels.length > 0 && (
        <Table label={words.sections.channels} heads={[words.name, own.members, '']}>
          {channels.map((channel) => (
            <tr key={channel.id}>
              <th scope="row">
                <bdi>{channel.name}</bdi>
              </th>
              <td>
                {channel.members.length === 0 ? (
                  <span class="warn">{own.noMembers}</span>
                ) : (
                  <bdi>{channel.members.map(({ user }) => user?.displayName).join(', ')}</bdi>
                )}
              </td>
              <EditButton name={channel.name} run={() => edit(channel)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={answer.more} />
      {answer.data && channels.length === 0 && <Empty icon="queue" says={words.channels.none} />}
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
              value: present ? present.members.map(({ userId }) => userId) : [store.user],
              options: people,
              more: users.more,
            },
            {
              name: 'supervisors',
              label: own.supervisors,
              kind: 'checks',
              value: present ? present.members.filter(({ supervisor }) => supervisor).map(({ userId }) => userId) : [],
              options: people,
              more: users.more,
            },
            ...assignmentFields(present?.assignment ?? null),
            ...serviceLevelFields(present?.serviceLevel ?? null),
            ...surveyFields(present?.survey ?? null),
            {
              name: 'signature',
              label: own.signature,
              kind: 'lines',
              help: own.signatureHelp,
              value: signatureTyped(present?.signature),
            },
          ]}
        />
      )}
    </Section>
  )
}
