import { useActWords, words as catalogue } from '../acts/words.js'
import { Icon } from '../../shared/ui/icon.js'
import { words } from '../admin/words.js'
import { membersOf as seenBy, type TraceNode } from './trace-tree.js'
import { FACTS, group, kindOf, membersOf, NEW_LEAF, OPERATORS, textOf, valueOf, type Leaf, type Node } from './tree.js'

interface EditorProps {
  node: Node
  /** Values that it saw in the trial, in the same shape. */
  trace?: TraceNode | null
  change(node: Node): void
  remove?: () => void
}

/** A group is a bracket around its members; each can be changed, added to and removed by the keyboard alone. */
export function TreeEditor({ node, trace, change, remove }: EditorProps) {
  useActWords()
  const kind = kindOf(node)
  if (!kind) return <LeafEditor leaf={node as Leaf} trace={trace ?? null} change={change} remove={remove!} />
  const members = membersOf(node)
  const own = words.workflows
  const seen = trace ? seenBy(trace) : []
  const set = (index: number, next: Node[]): void => change(group(kind, members.toSpliced(index, 1, ...next)))
  return (
    <div class="tree">
      <div class="line tight">
        <span class="seg" role="group" aria-label={own.group}>
          {(['all', 'any'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={each === kind} onClick={() => change(group(each, members))}>
              {own[each]}
            </button>
          ))}
        </span>
        <span class="mid">{own.ofThese}</span>
        {trace && <Result isTrue={trace.result} />}
        <button type="button" class="btn ghost small push" onClick={() => change(group(kind, [...members, NEW_LEAF]))}>
          <Icon name="plus" size="s" />
          {own.condition}
        </button>
        <button
          type="button"
          class="btn ghost small"
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
          <li key={index} class={seen[index] ? (seen[index].result ? 'yes' : 'no') : ''}>
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
  trace: TraceNode | null
  change(leaf: Leaf): void
  remove(): void
}

function LeafEditor({ leaf, trace, change, remove }: LeafEditorProps) {
  const own = words.workflows
  const { fact, path, operator, value } = leaf
  const operators = catalogue.rules.operators
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
      {trace && 'fact' in trace && <Seen trace={trace} />}
    </div>
  )
}

/** The value that the condition was asked about, and what it said. */
function Seen({ trace: { result, factValue } }: { trace: Extract<TraceNode, { fact: string }> }) {
  const own = words.workflows
  return (
    <p class="was">
      <Icon name={result ? 'check' : 'x'} size="s" />
      <span>
        {result ? own.isTrue : own.isFalse}: {own.itWas}{' '}
        <b>
          <bdi>{factValue === undefined ? catalogue.rules.nothing : JSON.stringify(factValue)}</bdi>
        </b>
      </span>
    </p>
  )
}

function Result({ isTrue }: { isTrue: boolean }) {
  return (
    <span class={isTrue ? 'tag good' : 'tag'}>
      <span class={isTrue ? 'good' : 'mute'}>
        <Icon name={isTrue ? 'check' : 'x'} size="s" />
      </span>
      {isTrue ? words.workflows.isTrue : words.workflows.isFalse}
    </span>
  )
}
