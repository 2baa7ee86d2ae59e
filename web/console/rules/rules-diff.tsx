import type { RulesDiffFragment } from '../../generated/workflows.js'
import { words as catalogue, useActWords } from '../acts/words.js'
import { words as adminWords } from '../admin/words.js'
import { kindOf, membersOf, type Leaf, type Node } from './tree.js'
import { words } from './words.js'

type Rule = RulesDiffFragment['rules'][number]
type Part = RulesDiffFragment['parts'][number]
type NameOf = (id: string) => string

/** Shows what differs between two states of a workflow, rule by rule. */
export function RulesDiff({ diff }: { diff: RulesDiffFragment }) {
  useActWords()
  const own = words.diff
  const names = new Map(diff.targets.map(({ id, name }) => [id, name]))
  const nameOf = (id: string): string => names.get(id) ?? id
  if (diff.parts.length + diff.rules.length === 0) return <p class="mute">{own.none}</p>
  return (
    <ul class="stack diff">
      {diff.parts.map((part) => (
        <li key={part.part}>
          <Difference part={part} nameOf={nameOf} />
        </li>
      ))}
      {diff.rules.map((rule) => (
        <li key={rule.id}>
          <p>
            <span class={TONES[rule.kind]}>{own[rule.kind]}</span>{' '}
            <bdi class="b">{(rule.after ?? rule.before)?.event.params.name || adminWords.workflows.unnamed}</bdi>
          </p>
          {rule.kind === 'CHANGED' ? (
            rule.parts.map((part) => <Difference key={part.part} part={part} nameOf={nameOf} />)
          ) : (
            <Whole rule={(rule.after ?? rule.before)!} nameOf={nameOf} />
          )}
        </li>
      ))}
    </ul>
  )
}

const TONES: Readonly<Record<Rule['kind'], string>> = { ADDED: 'tag good', REMOVED: 'tag bad', CHANGED: 'tag' }

/** A rule that only one of the states has. */
function Whole({ rule, nameOf }: { rule: NonNullable<Rule['after']>; nameOf: NameOf }) {
  const { channels, users, delay } = rule.event.params
  const whom = [...(channels ?? []), ...(users ?? [])].map(nameOf).join(', ') || adminWords.workflows.nobody
  return (
    <p class="mid t2">
      <bdi>
        {words.diff.parts.conditions} {conditionText(rule.conditions as unknown as Node)}:{' '}
        {adminWords.workflows.to(whom)}
        {delay ? `, ${adminWords.workflows.after(delay)}` : ''}
      </bdi>
    </p>
  )
}

function Difference({ part: { part, from, to }, nameOf }: { part: Part; nameOf: NameOf }) {
  const own = words.diff
  const label = own.parts[part as keyof typeof own.parts] ?? part
  return (
    <p class="t2">
      <span class="mid">{label}:</span>{' '}
      <bdi>{isList(from) || isList(to) ? listText(from, to, nameOf) : valueText(part, to)}</bdi>
      {!isList(from) && !isList(to) && (
        <span class="mute">
          , {own.was} <bdi>{valueText(part, from)}</bdi>
        </span>
      )}
    </p>
  )
}

const isList = (value: unknown): value is string[] => Array.isArray(value)

function listText(from: unknown, to: unknown, nameOf: NameOf): string {
  const [old, now] = [isList(from) ? from : [], isList(to) ? to : []]
  return [
    ...now.filter((id) => !old.includes(id)).map((id) => words.diff.plus(nameOf(id))),
    ...old.filter((id) => !now.includes(id)).map((id) => words.diff.minus(nameOf(id))),
  ].join(', ')
}

function valueText(part: string, value: unknown): string {
  const own = words.diff
  if (value === null || value === undefined) return own.nothing
  if (part === 'conditions') return conditionText(value as Node)
  if (typeof value === 'boolean') return value ? own.yes : own.no
  if (typeof value === 'number' && (part === 'delay' || part === 'skillsDropAfter')) return own.seconds(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Tells conditions in a sentence; a group within another stands in brackets. */
export function conditionText(node: Node): string {
  const own = words.diff
  const kind = kindOf(node)
  if (!kind) {
    const { fact, path, operator, value } = node as Leaf
    if (operator === 'defined') return `${fact}${path} ${value === true ? own.there : own.missing}`
    const { operators } = catalogue.rules
    return `${fact}${path} ${operators[operator as keyof typeof operators] ?? operator} ${JSON.stringify(value)}`
  }
  const members = membersOf(node)
  if (members.length === 0) return kind === 'all' ? own.always : own.never
  return members
    .map((member) => {
      const text = conditionText(member)
      return members.length > 1 && kindOf(member) && membersOf(member).length > 1 ? `(${text})` : text
    })
    .join(` ${kind === 'all' ? own.and : own.or} `)
}
