import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'

/** A tree of conditions as a trace has it: `all` or `any`, or a leaf with what it saw. */
export function Conditions({ tree }: { tree: Record<string, unknown> }) {
  const kind = 'all' in tree ? 'all' : 'any' in tree ? 'any' : null
  if (!kind) return <Leaf leaf={tree} />
  const members = tree[kind] as Record<string, unknown>[]
  return (
    <div class="tree">
      <span class="tag">{kind === 'all' ? t().rules.all : t().rules.any}</span>
      <ul>
        {members.map((member, index) => (
          <li key={index} class={member.result === true ? 'yes' : member.result === false ? 'no' : ''}>
            <Conditions tree={member} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Leaf({ leaf }: { leaf: Record<string, unknown> }) {
  const { fact, path, operator, value, factValue, result } = leaf
  const words = t().rules
  return (
    <p class="leaf">
      {result !== undefined && (
        <span class={result ? 'good' : 'mute'}>
          <Icon name={result ? 'check' : 'x'} size="s" />
        </span>
      )}
      <code>
        {String(fact)}
        {typeof path === 'string' ? path : ''}
      </code>{' '}
      {words.operators[String(operator) as keyof typeof words.operators] ?? String(operator)}{' '}
      <code>{JSON.stringify(value)}</code>
      {'factValue' in leaf && (
        <span class="mute">
          {' '}
          {words.was} <code>{factValue === undefined ? words.nothing : JSON.stringify(factValue)}</code>
        </span>
      )}
    </p>
  )
}
