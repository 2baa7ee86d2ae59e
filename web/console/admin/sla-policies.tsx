import { useState } from 'preact/hooks'
import {
  AdminSlaPoliciesDocument,
  CreateSlaPolicyDocument,
  DeleteSlaPolicyDocument,
  UpdateSlaPolicyDocument,
  type AdminSlaPoliciesQuery,
  type SlaActInput,
} from '../../generated/hours.js'
import { Refused } from '@switchboard/client'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, numberIn, type Values } from './form-dialog.js'
import { EditButton, More, Table } from './section.js'
import { useOrganizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Policy = AdminSlaPoliciesQuery['slaPolicies']['edges'][number]['node']
const CLOCKS = ['QUEUE', 'FIRST_RESPONSE', 'NEXT_RESPONSE', 'RESOLUTION'] as const

/** Targets of how soon consumers are served, and the conversations for which each holds. */
export function SlaPolicies({ schedules }: { schedules: readonly { id: string; name: string }[] }) {
  const store = useStore()
  const policies = usePages(AdminSlaPoliciesDocument, ({ slaPolicies }) => slaPolicies, 'slaPolicy')
  const organizations = useOrganizations()
  const [edited, edit] = useState<Policy | 'new' | null>(null)
  const own = words.hours
  const kinds = t().clocks.kinds
  const present = edited === 'new' ? null : edited
  const save = async (values: Values): Promise<void> => {
    const position = numberIn('position', values.position as string, own.positionHelp)
    const acts = (readJson('acts', values.acts as string) ?? {}) as Acts
    for (const clock of Object.keys(acts)) {
      // Else they would be dropped in silence.
      if (!CLOCKS.some((each) => each === clock && (values[each] as string).trim() !== ''))
        throw new Refused(own.actsHelp, 'BAD_USER_INPUT', 'acts', 0)
    }
    const fields = {
      name: values.name as string,
      ...(position !== null && { position }),
      conditions: readJson('conditions', values.conditions as string) ?? { all: [] },
      schedule: (values.schedule as string) || null,
      targets: CLOCKS.flatMap((clock) => readTarget(clock, values[clock] as string, acts[clock])),
    }
    const organization = (values.organization as string) || null
    const stored = present
      ? store.request(UpdateSlaPolicyDocument, { id: present.id, patch: { ...fields, ifVersion: present.version } })
      : store.request(CreateSlaPolicyDocument, { input: { ...fields, organization } })
    await stored.catch((error: unknown) => {
      throw atClock(error, fields.targets)
    })
    policies.refresh()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteSlaPolicyDocument, { id })
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
              <td>{each.targets.map(({ clock, seconds }) => `${kinds[clock]} ${lengthText(seconds)}`).join(', ')}</td>
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
          record={present?.id}
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
            { name: 'acts', label: own.acts, help: own.actsHelp, kind: 'json' as const, value: actsText(present) },
            ...(present ? [] : [organizations.field]),
          ]}
        />
      )}
    </div>
  )
}

/** Whole minutes as such, anything else in seconds. */
const lengthText = (seconds: number): string =>
  seconds % 60 === 0 ? t().duration.minutes(seconds / 60) : words.hours.seconds(seconds)

/** `30`, or `30, 10` with a warning when 10 minutes are left; `45s` are seconds. */
function targetText(policy: Policy | null, clock: (typeof CLOCKS)[number]): string {
  const target = policy?.targets.find((each) => each.clock === clock)
  return target
    ? [target.seconds, target.warnSeconds]
        .filter((each) => each !== null)
        .map(timeText)
        .join(', ')
    : ''
}

/** @returns null for an empty text; @throws Refused at the field */
function readJson(name: string, text: string): Record<string, unknown> | null {
  try {
    return text.trim() === '' ? null : (JSON.parse(text) as Record<string, unknown>)
  } catch (error) {
    const message = `${words.services.badJson}: ${(error as Error).message}`
    throw new Refused(message, 'BAD_USER_INPUT', name, 0)
  }
}

type Acts = Partial<Record<(typeof CLOCKS)[number], SlaActInput[]>>

function actsText(policy: Policy | null): string {
  const acts = (policy?.targets ?? []).filter((target) => target.acts.length > 0)
  return JSON.stringify(Object.fromEntries(acts.map((target) => [target.clock, target.acts])), null, 2)
}

/** A refusal of `targets[1]` belongs to the field of the second that is filled in. */
function atClock(error: unknown, targets: readonly { clock: string }[]): unknown {
  const index = error instanceof Refused ? /^(?:\w+\.)?targets\[(\d+)\]/.exec(error.field ?? '')?.[1] : undefined
  if (index === undefined) return error
  const { message, code } = error as Refused
  return new Refused(message, code, targets[Number(index)]?.clock ?? null, 0)
}

const timeText = (seconds: number): string => (seconds % 60 === 0 ? String(seconds / 60) : `${seconds}s`)

function secondsIn(clock: string, text: string): number | null {
  const isSeconds = /^\s*\d+\s*s\s*$/i.test(text)
  const given = numberIn(clock, isSeconds ? text.replace(/s\s*$/i, '') : text, words.hours.targetHelp)
  return given === null ? null : isSeconds ? given : given * 60
}

function readTarget(clock: (typeof CLOCKS)[number], text: string, acts: SlaActInput[] = []) {
  const [seconds, warnSeconds = null] = text.split(',').map((part) => secondsIn(clock, part))
  return seconds == null ? [] : [{ clock, seconds, warnSeconds, acts }]
}
