import type { Commands } from './commands.js'

const KEPT = 'keys'
/** The second letter of two comes within this, or was none. */
const PAIR_MS = 1_500

/** Single letters can be switched off (WCAG 2.1.4); those with Ctrl or Alt stay. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(KEPT) !== 'off'
  } catch {
    return true
  }
}

export function setKeys(isOn: boolean): void {
  try {
    localStorage.setItem(KEPT, isOn ? 'on' : 'off')
  } catch {
    // No storage: as they were after a reload.
  }
}

/** Runs commands by their keys, but where one types. @returns how to stop */
export function startKeys(commands: Commands): () => void {
  let first = ''
  let firstAt = 0
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') return run('ctrl k', event)
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) return run(`alt ${event.key}`, event)
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areKeysOn()) return
    if (document.querySelector('dialog[open]')) return
    const key = event.key.toLowerCase()
    const pair = first && event.timeStamp - firstAt < PAIR_MS ? `${first} ${key}` : ''
    first = ''
    if (pair && commands.ofKey(pair)) return run(pair, event)
    if (commands.begins(key)) {
      first = key
      firstAt = event.timeStamp
      return
    }
    run(key, event)
  }
  const run = (key: string, event: KeyboardEvent): void => {
    const command = commands.ofKey(key)
    if (!command) return
    event.preventDefault()
    command.run()
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement
  if (element instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(element.type)
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element.isContentEditable
}
