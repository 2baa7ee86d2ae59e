import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { words } from '../admin/words.js'
import {
  FACTS,
  group,
  kindOf,
  membersOf,
  NEW_LEAF,
  OPERATORS,
  textOf,
  valueOf,
  type Kind,
  type Leaf,
  type Node,
} from './tree.js'

interface EditorProps {
  node: Node
  /** What it saw when it was tried, in the same shape. */
  trace?: Record<string, unknown> | null
  change(node: Node): void
  remove?: () => void
}

/** A group is a bracket around its members; each can be changed, added to and removed by the keyboard alone. */
export function TreeEditor({ node, trace, change, remove }: EditorProps) {
  const kind = kindOf(node)
  if (!kind) return <LeafEditor leaf={node as Leaf} trace={trace ?? null} change={change} remove={remove!} />
  const members = membersOf(node)
  const own = words.workflows
  const seen = (trace?.[kind] ?? []) as Record<string, unknown>[]
  const set = (index: number, next: Node[]): void => change(group(kind, members.toSpliced(index, 1, ...next)))
  return (
    <div class="tree">
      <div class="line tight">
        <select
          class="in fit"
          aria-label={own.group}
          value={kind}
          onChange={(event) => change(group(event.currentTarget.value as Kind, members))}
        >
          <option value="all">{t().rules.all}</option>
          <option value="any">{t().rules.any}</option>
        </select>
        <button type="button" class="btn small" onClick={() => change(group(kind, [...members, NEW_LEAF]))}>
          <Icon name="plus" size="s" />
          {own.condition}
        </button>
        <button
          type="button"
          class="btn small"
          onClick={() => change(group(kind, [...members, group('any', [NEW_LEAF])]))}
        >
          <Icon name="plus" size="s" />
          {own.group}
        </button>
        {remove && (
          <button type="button" class="btn ghost icon small" aria-label={own.removeCondition} onClick={remove}>
            <Icon name="x" size="s" />
          </button>
        )}
      </div>
      <ul>
        {members.map((member, index) => (
          <li key={index} class={seen[index] ? (seen[index].result === true ? 'yes' : 'no') : ''}>
            <TreeEditor
              node={member}
              trace={seen[index]}
              change={(next) => set(index, [next])}
              remove={() => set(index, [])}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface LeafEditorProps {
  leaf: Leaf
  trace: Record<string, unknown> | null
  change(leaf: Leaf): void
  remove(): void
}

function LeafEditor({ leaf, trace, change, remove }: LeafEditorProps) {
  const own = words.workflows
  const { fact, path, operator, value } = leaf
  const operators = t().rules.operators
  const list = `paths-${fact}`
  return (
    <div class="cond">
      <select
        class="in"
        aria-label={own.fact}
        value={fact}
        onChange={(event) =>
          change({ ...leaf, fact: event.currentTarget.value, path: FACTS[event.currentTarget.value]?.[0] ?? '.' })
        }
      >
        {Object.keys(FACTS).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <input
        class="in mono"
        aria-label={own.path}
        value={path}
        list={list}
        onInput={(event) => change({ ...leaf, path: event.currentTarget.value })}
      />
      <datalist id={list}>
        {FACTS[fact]?.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <select
        class="in"
        aria-label={own.operator}
        value={operator}
        onChange={(event) =>
          change({
            ...leaf,
            operator: event.currentTarget.value,
            value: event.currentTarget.value === 'defined' ? true : value,
          })
        }
      >
        {OPERATORS.map((each) => (
          <option key={each} value={each}>
            {operators[each]}
          </option>
        ))}
      </select>
      <input
        class="in mono"
        aria-label={own.value}
        title={own.valueHelp}
        defaultValue={textOf(value)}
        onChange={(event) => change({ ...leaf, value: valueOf(event.currentTarget.value, operator) })}
      />
      <button type="button" class="btn ghost icon small" aria-label={own.removeCondition} onClick={remove}>
        <Icon name="x" size="s" />
      </button>
      {trace && <Seen trace={trace} />}
    </div>
  )
}

/** The value that the condition was asked about, and what it said. */
function Seen({ trace: { result, factValue } }: { trace: Record<string, unknown> }) {
  const words = t().rules
  return (
    <p class="was">
      <Icon name={result === true ? 'check' : 'x'} size="s" />
      {words.was} <code>{factValue === undefined ? words.nothing : JSON.stringify(factValue)}</code>
    </p>
  )
}
