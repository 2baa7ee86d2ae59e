export interface RoutingTrace {
  trigger: string
  entries: TraceEntry[]
}

interface TraceEntry {
  rule: { name: string | null } | null
  outcome: string
  reason: string
  delaySeconds: number | null
  conditions: Condition[] | null
  channelsNotified: string[]
}

/** A condition of the rule's tree: a leaf has the value that it found (4.6). */
interface Condition {
  kind: 'LEAF' | 'ALL' | 'ANY'
  fact?: string | null
  path?: string | null
  operator?: string | null
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
    ...(conditions ?? []).filter(({ kind }) => kind === 'LEAF').map((leaf) => `  ${leafInWords(leaf)}`),
  ]
}

function leafInWords({ fact, path, operator, value, factValue, result }: Condition): string {
  const test = `${fact}${path ?? ''} ${operator} ${JSON.stringify(value)}`
  return `${result ? 'true ' : 'false'} ${test}: it was ${JSON.stringify(factValue)}`
}
