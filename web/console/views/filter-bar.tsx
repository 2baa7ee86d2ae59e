import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { useCommand } from '../commands/use-command.js'
import { isFilterAsked } from '../lists/ask-filter.js'
import { useStore } from '../store/console-store.js'
import type { Conditions, Filters } from './filters.js'
import { words } from './words.js'
import { VIEWS, type ViewName } from './view-name.js'

interface FilterBarProps {
  conditions: Conditions
  change(to: Conditions): void
  /** Counts of the states, where they are known. */
  countOf?: (state: ViewName) => string
  /** True if all states can be chosen at once. */
  hasAny?: boolean
  /** Name of a value that none of the choices has. */
  nameOf?: (field: keyof Filters, id: string) => string
  children?: ComponentChildren
}

/** The choices above a list. */
export function FilterBar({ conditions, change, countOf, hasAny, nameOf, children }: FilterBarProps) {
  const { organization } = useStore()
  const bar = useRef<HTMLDivElement>(null)
  const ask = (): void => void (isFilterAsked.value = true)
  useCommand({ id: 'filter', label: t().list.filter, icon: 'search', key: 'f', zone: 'list', run: ask }, !hasAny)
  const isAsked = isFilterAsked.value
  useEffect(() => {
    if (!isAsked) return
    isFilterAsked.value = false
    bar.current?.querySelector('select')?.focus()
  }, [isAsked])
  const me = organization.me.value
  const agents = [
    ...(me ? [{ id: me.id, name: me.displayName }] : []),
    ...organization.colleagues.value.map(({ id, displayName }) => ({ id, name: displayName })),
  ]
  // Archived ones are still on conversations.
  const labels = [...organization.labels.value.values()]
  const filter = (name: keyof Filters, label: string, options: readonly { id: string; name: string }[]) => {
    const value = conditions[name]
    const isKnown = value === '' || options.some(({ id }) => id === value)
    return (
      <label>
        {label}
        <select
          class="in"
          value={value}
          onChange={(event) => change({ ...conditions, [name]: event.currentTarget.value })}
        >
          <option value="">{words.any}</option>
          {!isKnown && <option value={value}>{nameOf?.(name, value) ?? words.unknown}</option>}
          {options.map(({ id, name: option }) => (
            <option key={id} value={id}>
              {option}
            </option>
          ))}
        </select>
      </label>
    )
  }
  return (
    <div ref={bar} class="filters" role="group" aria-label={words.filters}>
      <label>
        {words.state}
        <select
          class="in"
          value={conditions.state}
          onChange={(event) => change({ ...conditions, state: event.currentTarget.value as ViewName })}
        >
          {hasAny && <option value="">{words.any}</option>}
          {VIEWS.map((each) => (
            <option key={each} value={each}>
              {[words.names[each], countOf?.(each)].filter(Boolean).join(' · ')}
            </option>
          ))}
        </select>
      </label>
      {filter('channel', words.channel, organization.channels.value ?? [])}
      {filter('agent', words.agent, agents)}
      {filter('label', words.label, labels)}
      {children}
    </div>
  )
}
