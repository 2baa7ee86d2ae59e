import { useState } from 'preact/hooks'
import {
  AdminSlaPoliciesDocument,
  CreateSlaPolicyDocument,
  DeleteSlaPolicyDocument,
  UpdateSlaPolicyDocument,
  type AdminSlaPoliciesQuery,
} from '../../shared/graphql/hours.js'
import { Refused } from '@switchboard/client'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice } from '../office.js'
import { FormDialog, numberIn, type Values } from './form-dialog.js'
import { EditButton, More, Table } from './section.js'
import { useOrganizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Policy = AdminSlaPoliciesQuery['slaPolicies']['edges'][number]['node']
const CLOCKS = ['QUEUE', 'FIRST_RESPONSE', 'NEXT_RESPONSE', 'RESOLUTION'] as const

/** How soon consumers are to be served, and for which conversations each target holds. */
export function SlaPolicies({ schedules }: { schedules: readonly { id: string; name: string }[] }) {
  const office = useOffice()
  const policies = usePages(AdminSlaPoliciesDocument, ({ slaPolicies }) => slaPolicies)
  const organizations = useOrganizations()
  const [edited, edit] = useState<Policy | 'new' | null>(null)
  const own = words.hours
  const kinds = t().clocks.kinds
  const present = edited === 'new' ? null : edited
  const save = async (values: Values): Promise<void> => {
    const position = numberIn('position', values.position as string, own.positionHelp)
    const fields = {
      name: values.name as string,
      ...(position !== null && { position }),
      conditions: readConditions(values.conditions as string),
      schedule: (values.schedule as string) || null,
      targets: CLOCKS.flatMap((clock) => readTarget(clock, values[clock] as string)),
    }
    const organization = (values.organization as string) || null
    const stored = present
      ? office.request(UpdateSlaPolicyDocument, { id: present.id, patch: fields })
      : office.request(CreateSlaPolicyDocument, { input: { ...fields, organization } })
    await stored.catch((error: unknown) => {
      throw atClock(error, fields.targets)
    })
    policies.refresh()
  }
  const remove = async (id: string): Promise<void> => {
    await office.request(DeleteSlaPolicyDocument, { id })
    policies.refresh()
  }
  return (
    <div class="stack">
      <div class="line nowrap">
        <div>
          <h2>{own.policies}</h2>
          <p class="mid">{own.policiesHelp}</p>
        </div>
        <button class="btn push" onClick={() => edit('new')}>
          <Icon name="plus" size="s" />
          {own.addPolicy}
        </button>
      </div>
      {policies.rows.length > 0 && (
        <Table label={own.policies} heads={[own.position, words.name, own.targets, own.schedule, '']}>
          {policies.rows.map((each) => (
            <tr key={each.id}>
              <td>{each.position}</td>
              <th scope="row">
                <bdi>{each.name}</bdi>
              </th>
              <td>
                {each.targets
                  .map(({ clock, minutes }) => `${kinds[clock]} ${t().duration.minutes(minutes)}`)
                  .join(', ')}
              </td>
              <td>
                <bdi>{each.schedule?.name ?? own.always}</bdi>
              </td>
              <EditButton name={each.name} run={() => edit(each)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={policies.more} />
      {edited && (
        <FormDialog
          key={present?.id ?? 'new'}
          title={present?.name ?? own.addPolicyTitle}
          close={() => edit(null)}
          save={save}
          remove={present ? { ask: words.removeAsk(present.name), run: () => remove(present.id) } : undefined}
          fields={[
            { name: 'name', label: words.name, value: present?.name ?? '', isRequired: true },
            {
              name: 'position',
              label: own.position,
              help: own.positionHelp,
              value: present ? String(present.position) : '',
            },
            {
              name: 'schedule',
              label: own.schedule,
              kind: 'select',
              value: present?.scheduleId ?? '',
              options: [['', own.always] as const, ...schedules.map(({ id, name }) => [id, name] as const)],
            },
            ...CLOCKS.map((clock) => ({
              name: clock,
              label: kinds[clock],
              help: own.targetHelp,
              value: targetText(present, clock),
            })),
            {
              name: 'conditions',
              label: own.conditions,
              help: own.conditionsHelp,
              kind: 'json' as const,
              value: JSON.stringify(present?.conditions ?? { all: [] }, null, 2),
            },
            ...(present ? [] : [organizations.field]),
          ]}
        />
      )}
    </div>
  )
}

/** `30`, or `30, 10` with a warning when 10 minutes are left. */
function targetText(policy: Policy | null, clock: (typeof CLOCKS)[number]): string {
  const target = policy?.targets.find((each) => each.clock === clock)
  return target ? [target.minutes, target.warnMinutes].filter((each) => each !== null).join(', ') : ''
}

/** @throws Refused at the field */
function readConditions(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text || '{"all": []}') as Record<string, unknown>
  } catch (error) {
    const message = `${words.services.badJson}: ${(error as Error).message}`
    throw new Refused(message, 'BAD_USER_INPUT', 'conditions', 0)
  }
}

/** A refusal of `targets[1]` belongs to the field of the second that is filled in. */
function atClock(error: unknown, targets: readonly { clock: string }[]): unknown {
  const index = error instanceof Refused ? /^(?:\w+\.)?targets\[(\d+)\]/.exec(error.field ?? '')?.[1] : undefined
  if (index === undefined) return error
  const { message, code } = error as Refused
  return new Refused(message, code, targets[Number(index)]?.clock ?? null, 0)
}

function readTarget(clock: (typeof CLOCKS)[number], text: string) {
  const [minutes, warnMinutes = null] = text.split(',').map((part) => numberIn(clock, part, words.hours.targetHelp))
  return minutes == null ? [] : [{ clock, minutes, warnMinutes }]
}
