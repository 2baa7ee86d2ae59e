export interface RoutingTrace {
  trigger: string
  entries: TraceEntry[]
}

interface TraceEntry {
  rule: { name: string | null } | null
  outcome: string
  reason: string
  delaySeconds: number | null
  conditions: Condition | null
  channelsNotified: string[]
}

/** The rule's own tree, with what each leaf saw and whether it held (4.6). */
interface Condition {
  all?: Condition[]
  any?: Condition[]
  fact?: string
  path?: string
  operator?: string
  value?: unknown
  factValue?: unknown
  result: boolean
}

/** One queueing: what queued it, and of each rule what it saw, what came of it, and why. */
export function routingInWords({ trigger, entries }: RoutingTrace, channels: ReadonlyMap<string, string>): string[] {
  return [`queued by a ${trigger}`, ...entries.flatMap((entry) => ruleInWords(entry, channels))]
}

function ruleInWords(entry: TraceEntry, channels: ReadonlyMap<string, string>): string[] {
  const { rule, outcome, reason, delaySeconds, conditions, channelsNotified } = entry
  const delay = delaySeconds ? `, delay ${delaySeconds} s` : ''
  const notified = channelsNotified.map((id) => channels.get(id) ?? id).join(' and ')
  return [
    `rule "${rule?.name ?? 'none'}"${delay}: ${outcome.toLowerCase()}, as ${reason}${notified && `; notified ${notified}`}`,
    ...(conditions ? leavesOf(conditions) : []).map((leaf) => `  ${leaf}`),
  ]
}

function leavesOf({ all, any, fact, path, operator, value, factValue, result }: Condition): string[] {
  const members = all ?? any
  if (members) return members.flatMap(leavesOf)
  const test = `${fact}${path} ${operator} ${JSON.stringify(value)}`
  return [`${result ? 'true ' : 'false'} ${test}: it was ${JSON.stringify(factValue)}`]
}
