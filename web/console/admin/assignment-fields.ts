import type { AdminChannelsQuery, ChannelAssignmentInput } from '../../generated/admin.js'
import { numberIn, type FieldSpec, type Values } from './form-dialog.js'
import { words } from './words.js'

type Assignment = AdminChannelsQuery['channels']['edges'][number]['node']['assignment']

const FLAGS = ['othersMayAccept', 'limitPulls', 'tellPlace'] as const
const NUMBERS = ['offerSeconds', 'preferLastSeconds', 'requeueGoneSeconds', 'wrapUpSeconds', 'weight'] as const

/** The fields of a channel's settings of assignment. */
export function assignmentFields(assignment: Assignment): FieldSpec[] {
  const own = words.assignment
  const flags = FLAGS.filter((flag) => assignment?.[flag] ?? flag === 'othersMayAccept')
  return [
    {
      name: 'mode',
      label: own.mode,
      kind: 'select',
      value: assignment?.mode ?? 'PULL',
      options: Object.entries(own.modes),
    },
    {
      name: 'order',
      label: own.order,
      kind: 'select',
      value: assignment?.order ?? 'LEAST_LOADED',
      options: Object.entries(own.orders),
    },
    ...NUMBERS.map((name) => ({
      name,
      label: own[name],
      help: helpOf(name),
      value: String(assignment?.[name] ?? ''),
    })),
    {
      name: 'flags',
      label: own.rules,
      kind: 'checks',
      value: flags,
      options: FLAGS.map((flag) => [flag, own[flag]] as const),
    },
  ]
}

function helpOf(name: (typeof NUMBERS)[number]): string {
  const own = words.assignment
  if (name === 'offerSeconds') return own.offerHelp
  if (name === 'weight') return own.weightHelp
  return name === 'wrapUpSeconds' ? own.wrapUpHelp : own.secondsHelp
}

/** The settings as filled in; null where agents choose and nothing limits them. */
export function assignmentIn(values: Values): ChannelAssignmentInput | null {
  const flags = values.flags as string[]
  const [offerSeconds, preferLastSeconds, requeueGoneSeconds, wrapUpSeconds, weight] = NUMBERS.map((name) =>
    numberIn(name, values[name] as string, helpOf(name)),
  )
  const isLimited = flags.includes('limitPulls') || flags.includes('tellPlace')
  const hasNumbers = [offerSeconds, preferLastSeconds, requeueGoneSeconds, wrapUpSeconds, weight].some(
    (each) => each !== null,
  )
  const isPlain = values.mode === 'PULL' && !isLimited && !hasNumbers
  if (isPlain) return null
  return {
    mode: values.mode as ChannelAssignmentInput['mode'],
    order: values.order as ChannelAssignmentInput['order'],
    offerSeconds,
    preferLastSeconds,
    requeueGoneSeconds,
    wrapUpSeconds,
    weight,
    othersMayAccept: flags.includes('othersMayAccept'),
    limitPulls: flags.includes('limitPulls'),
    tellPlace: flags.includes('tellPlace'),
  }
}
