import { useState } from 'preact/hooks'
import {
  AdminReasonCodesDocument,
  CreateReasonCodeDocument,
  DeleteReasonCodeDocument,
  UpdateReasonCodeDocument,
  type AdminReasonCodesQuery,
} from '../../generated/admin-staffing.js'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, type Values } from './form-dialog.js'
import { EditButton, More, Table } from './section.js'
import type { Organizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type ReasonCode = AdminReasonCodesQuery['reasonCodes']['edges'][number]['node']

const STATES = ['BUSY', 'AWAY', 'OFFLINE'] as const

/** Reasons for which agents take no conversations, which reports count. */
export function ReasonCodes({ organizations }: { organizations: Organizations }) {
  const store = useStore()
  const pages = usePages(AdminReasonCodesDocument, ({ reasonCodes }) => reasonCodes, 'reasonCode')
  const [edited, edit] = useState<ReasonCode | 'new' | null>(null)
  const own = words.reasonCodes
  const states = t().staffing.states
  const present = edited === 'new' ? null : edited
  const save = async (values: Values): Promise<void> => {
    const patch = {
      name: values.name as string,
      availabilities: values.availabilities as ReasonCode['availabilities'],
    }
    const organization = (values.organization as string) || null
    if (present) await store.request(UpdateReasonCodeDocument, { id: present.id, patch })
    else await store.request(CreateReasonCodeDocument, { input: { ...patch, organization } })
    pages.refresh()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteReasonCodeDocument, { id })
    pages.refresh()
  }
  const stateNames = (code: ReasonCode): string =>
    STATES.filter((state) => code.availabilities.includes(state))
      .map((state) => states[state])
      .join(', ')
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
        <Table label={own.title} heads={[words.name, own.states, words.organization, '']}>
          {pages.rows.map((code) => (
            <tr key={code.id}>
              <th scope="row">
                <bdi>{code.name}</bdi>
              </th>
              <td>{stateNames(code)}</td>
              <td>
                <bdi>{organizations.nameOf(code.organizationId)}</bdi>
              </td>
              <EditButton name={code.name} run={() => edit(code)} />
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
              name: 'availabilities',
              label: own.states,
              kind: 'checks',
              value: present?.availabilities ?? ['BUSY', 'AWAY'],
              options: STATES.map((state) => [state, states[state]] as const),
            },
            ...(present ? [] : [organizations.field]),
          ]}
        />
      )}
    </section>
  )
}
