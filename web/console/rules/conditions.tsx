import { words as catalogue } from '../acts/words.js'
import { Icon } from '../../shared/ui/icon.js'
import { membersOf, type TraceNode } from './trace-tree.js'

/** A tree of conditions with what each saw. */
export function Conditions({ tree }: { tree: TraceNode | null }) {
  if (!tree) return null
  if ('fact' in tree) return <Leaf leaf={tree} />
  const members = membersOf(tree)
  return (
    <div class="tree">
      <span class="tag">{'all' in tree ? catalogue.rules.all : catalogue.rules.any}</span>
      <ul>
        {members.map((member, index) => (
          <li key={index} class={member.result ? 'yes' : 'no'}>
            <Conditions tree={member} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Leaf({ leaf }: { leaf: Extract<TraceNode, { fact: string }> }) {
  const { fact, path, operator, value, factValue, result } = leaf
  const words = catalogue.rules
  return (
    <p class="leaf">
      <span class={result ? 'good' : 'mute'}>
        <Icon name={result ? 'check' : 'x'} size="s" />
      </span>
      <code>
        {fact}
        {path}
      </code>{' '}
      {words.operators[operator as keyof typeof words.operators] ?? operator} <code>{JSON.stringify(value)}</code>
      {'factValue' in leaf && (
        <span class="mute">
          {' '}
          {words.was} <code>{JSON.stringify(factValue)}</code>
        </span>
      )}
    </p>
  )
}
