import type { BotAction, BotMode } from '../../../generated/bots-admin.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { Icon } from '../../../shared/ui/icon.js'
import { TreeEditor } from '../../rules/tree-editor.js'
import { group } from '../../rules/tree.js'
import { ACTIONS, ALWAYS, isAlways, MODES, type Line } from './grants.js'
import { words } from './words.js'

interface LineFieldsProps {
  line: Line
  /** From 1. */
  number: number
  isLast: boolean
  fault: string | null
  change(line: Line): void
  move(step: -1 | 1): void
  remove(): void
}

const FIRST_CONDITION = group('all', [{ fact: 'conversation', path: '.category', operator: 'equal', value: '' }])

/** The fields of one line: what, how far, and under which conditions. */
export function LineFields({ line, number, isLast, fault, change, move, remove }: LineFieldsProps) {
  const { action, mode, conditions } = line
  return (
    <fieldset class="grant" id={line.key}>
      <legend class="vh">{words.line(number)}</legend>
      <div class="line">
        <span class="mute" aria-hidden="true">
          {number}
        </span>
        <select
          class="in fit grow"
          aria-label={words.action}
          value={action}
          onChange={(event) => change({ ...line, action: event.currentTarget.value as BotAction })}
        >
          {ACTIONS.map((each) => (
            <option key={each} value={each}>
              {words.actions[each]}
            </option>
          ))}
        </select>
        <select
          class="in fit grow"
          aria-label={words.mode}
          value={mode}
          onChange={(event) => change({ ...line, mode: event.currentTarget.value as BotMode })}
        >
          {MODES.map((each) => (
            <option key={each} value={each}>
              {words.modes[each]}
            </option>
          ))}
        </select>
        <span class="line tight nowrap push">
          <Move label={words.up(number)} step={-1} isOff={number === 1} move={move} />
          <Move label={words.down(number)} step={1} isOff={isLast} move={move} />
          <button type="button" class="btn ghost icon small" aria-label={words.remove(number)} onClick={remove}>
            <Icon name="x" size="s" />
          </button>
        </span>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={!isAlways(conditions)}
          onChange={(event) => change({ ...line, conditions: event.currentTarget.checked ? FIRST_CONDITION : ALWAYS })}
        />
        {words.onlyIf}
      </label>
      {!isAlways(conditions) && (
        <div class="rule-form" role="group" aria-label={words.conditions}>
          <TreeEditor node={conditions} change={(next) => change({ ...line, conditions: next })} />
        </div>
      )}
      <ErrorHint text={fault} />
    </fieldset>
  )
}

interface MoveProps extends Pick<LineFieldsProps, 'move'> {
  label: string
  step: -1 | 1
  isOff: boolean
}

function Move({ label, step, isOff, move }: MoveProps) {
  return (
    <button
      type="button"
      class="btn ghost icon small"
      data-step={step}
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => !isOff && move(step)}
    >
      <Icon name={step < 0 ? 'up' : 'down'} size="s" />
    </button>
  )
}
