import type { Commands } from '../store/commands.js'
import { keptSwitch } from '../kept.js'
import { watchFocus } from './focus-clock.js'

/** The second letter of two comes within this, or was none. */
const PAIR_MS = 1_500

/** On: single letters are commands; they can be switched off (WCAG 2.1.4). Those with Ctrl or Alt stay. */
export const singleKeys = keptSwitch('keys', true)

/**
 * Runs commands by their keys. A letter is a command only where nobody types: with the focus in a list or the log, nothing
 * open over them, and some time after the last letter of a text and after a focus that no key of movement brought.
 * @returns how to stop
 */
export function startKeys(commands: Commands): () => void {
  let first = ''
  let firstAt = 0
  /** The key that ran a command and is still down: what it repeats is no text. */
  let held = ''
  const focus = watchFocus()
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    const anywhere = combinationOf(event)
    if (anywhere) return run(anywhere, 'anywhere', event)
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return
    const key = letterOf(event)
    const isMove = key === 'j' || key === 'k'
    const isPair = first !== '' && event.timeStamp - firstAt < PAIR_MS
    const pair = isPair ? `${first} ${key}` : ''
    first = ''
    if (!singleKeys.isOn() || !isInWork(event.target) || isCovered() || (event.repeat && !isMove)) return
    if (!focus.isSettled(event.timeStamp)) {
      // It belongs to the text that is being typed.
      if (!isMove) focus.noteLetter(event.timeStamp)
      return
    }
    if (pair && commands.ofKey(pair, 'work')) return run(pair, 'work', event)
    if (commands.begins(key)) {
      first = key
      firstAt = event.timeStamp
      return
    }
    run(key, 'work', event)
  }
  const run = (key: string, zone: 'work' | 'anywhere', event: KeyboardEvent): void => {
    const isInList = zone === 'work' && (event.target as Element).closest('[data-zone="list"]')
    const command = (isInList && commands.ofKey(key, 'list')) || commands.ofKey(key, zone)
    if (!command) return
    event.preventDefault()
    held = event.code
    command.run()
  }
  const repeat = (event: KeyboardEvent): void => {
    const isMove = event.key.toLowerCase() === 'j' || event.key.toLowerCase() === 'k'
    if (event.repeat && event.code === held && !(isMove && isInWork(event.target))) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  const release = (): void => void (held = '')
  addEventListener('keydown', repeat, true)
  addEventListener('keydown', press)
  addEventListener('keyup', release)
  return () => {
    removeEventListener('keydown', repeat, true)
    removeEventListener('keydown', press)
    removeEventListener('keyup', release)
    focus.stop()
  }
}

/** A key with Ctrl or Alt, as commands name it. */
function combinationOf(event: KeyboardEvent): string | null {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') return 'ctrl k'
  if (!event.altKey || event.ctrlKey || event.metaKey) return null
  if (event.key === 'ArrowUp' || event.key === 'ArrowDown') return `alt ${event.key}`
  // With Alt, some layouts write another letter.
  return event.code === 'KeyU' ? 'alt u' : null
}

function letterOf({ key, shiftKey }: KeyboardEvent): string {
  const letter = key.toLowerCase()
  return shiftKey && letter !== key.toUpperCase() ? `shift ${letter}` : letter
}

/** Tells whether the focus is in a list or the log, and on nothing that takes keys itself. */
function isInWork(target: EventTarget | null): boolean {
  const element = target as Element
  if (element.closest('button, input, textarea, select, summary, [contenteditable]')) return false
  return element.closest('[data-zone]') !== null
}

/** Tells whether something lies over the lists and the log, or they are not there yet. */
function isCovered(): boolean {
  return document.querySelector('dialog[open], :popover-open, [aria-busy="true"]') !== null
}
