import { useState } from 'preact/hooks'
import {
  AdminSkillsDocument,
  AdminStaffDocument,
  CreateSkillDocument,
  DeleteSkillDocument,
  UpdateSkillDocument,
  UpdateStaffDocument,
  type AdminSkillsQuery,
  type AdminStaffQuery,
} from '../../generated/admin-staffing.js'
import { t } from '../../shared/i18n/messages.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, numberIn, type Values } from './form-dialog.js'
import { ReasonCodes } from './reason-codes.js'
import { EditButton, More, Section, Table } from './section.js'
import { useOrganizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

type Agent = AdminStaffQuery['agentStates'][number]
type Skill = AdminSkillsQuery['skills']['edges'][number]['node']

/** The server answers for this many at once. */
const CHANNELS_MAX = 1_000

/** Agents' capacities and skills. */
export function Staffing() {
  const store = useStore()
  const ids = (store.organization.channels.value ?? []).slice(0, CHANNELS_MAX).map(({ id }) => id)
  const agents = useQuery(AdminStaffDocument, { channels: ids.length > 0 ? ids : null })
  const skills = usePages(AdminSkillsDocument, ({ skills }) => skills, 'skill')
  const organizations = useOrganizations()
  const [agent, editAgent] = useState<Agent | null>(null)
  const [skill, editSkill] = useState<Skill | 'new' | null>(null)
  const own = words.staffing
  const saveAgent = async (values: Values): Promise<void> => {
    const patch = {
      capacity: numberIn('capacity', values.capacity as string, words.staffing.capacityHelp),
      skills: values.skills as string[],
    }
    await store.request(UpdateStaffDocument, { user: agent!.userId, patch })
    agents.refresh()
  }
  const saveSkill = async (values: Values): Promise<void> => {
    const name = values.name as string
    const organization = (values.organization as string) || null
    if (skill === 'new') await store.request(CreateSkillDocument, { input: { name, organization } })
    else await store.request(UpdateSkillDocument, { id: skill!.id, patch: { name } })
    skills.refresh()
    agents.refresh()
  }
  const present = skill === 'new' ? null : skill
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteSkillDocument, { id })
    skills.refresh()
  }
  const rows = agents.data?.agentStates ?? []
  return (
    <Section
      title={words.sections.staffing}
      lead={own.help}
      answer={skills}
      action={{ label: own.add, run: () => editSkill('new') }}
    >
      {rows.length > 0 && (
        <Table label={words.sections.staffing} heads={[own.agent, own.status, own.load, own.skills, '']}>
          {rows.map((each) => (
            <tr key={each.userId}>
              <th scope="row">
                <span class="line">
                  <Avatar name={each.user?.displayName ?? '?'} of={each.userId} size="s" />
                  <bdi>{each.user?.displayName ?? each.userId}</bdi>
                </span>
              </th>
              <td>
                <span class="dot" data-is={each.standing} /> {t().staffing.standings[each.standing]}
              </td>
              <td>
                {each.load}/{each.capacity}
              </td>
              <td>
                <bdi>{each.skills.map(({ name }) => name).join(', ')}</bdi>
              </td>
              <EditButton name={each.user?.displayName ?? each.userId} run={() => editAgent(each)} />
            </tr>
          ))}
        </Table>
      )}
      {rows.length === 0 && <p class="mid">{own.noAgents}</p>}
      {skills.rows.length > 0 && (
        <Table label={own.skills} heads={[words.name, words.organization, '']} action={null}>
          {skills.rows.map((each) => (
            <tr key={each.id}>
              <th scope="row">
                <bdi>{each.name}</bdi>
              </th>
              <td>
                <bdi>{organizations.nameOf(each.organizationId)}</bdi>
              </td>
              <EditButton name={each.name} run={() => editSkill(each)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={skills.more} />
      <ReasonCodes organizations={organizations} />
      {agent && (
        <FormDialog
          key={agent.userId}
          record={agent.userId}
          title={agent.user?.displayName ?? own.agent}
          close={() => editAgent(null)}
          save={saveAgent}
          fields={[
            {
              name: 'capacity',
              label: own.capacity,
              help: own.capacityHelp,
              value: String(agent.capacity),
              isRequired: true,
            },
            {
              name: 'skills',
              label: own.skills,
              kind: 'checks',
              value: agent.skills.map(({ id }) => id),
              options: skills.rows.map(({ id, name }) => [id, name] as const),
              more: skills.more,
            },
          ]}
        />
      )}
      {skill && (
        <FormDialog
          key={present?.id ?? 'new'}
          record={present?.id}
          title={present?.name ?? own.addTitle}
          close={() => editSkill(null)}
          save={saveSkill}
          remove={present ? { ask: words.removeAsk(present.name), run: () => remove(present.id) } : undefined}
          fields={[
            { name: 'name', label: words.name, value: present?.name ?? '', isRequired: true },
            ...(present ? [] : [organizations.field]),
          ]}
        />
      )}
    </Section>
  )
}
