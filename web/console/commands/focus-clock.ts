/** A letter sooner than this after a letter of a text, or after the focus came by itself, is meant as text. */
const SETTLED_MS = 600
/** Keys that move the focus: what they bring is meant, at once. */
const MOVES = new Set(['j', 'k', 'Escape', 'Tab', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'])

export interface FocusClock {
  /** Tells whether a letter can be a command at this time. */
  isSettled(at: number): boolean
  noteLetter(at: number): void
  stop(): void
}

/** Keeps the times of the last letter of a text and of the last focus that came by a click or by the program. */
export function watchFocus(): FocusClock {
  let typedAt = -Infinity
  let cameAt = -Infinity
  let isMoving = false
  let isLeaving = false
  const isSettled = (at: number): boolean => at - Math.max(typedAt, cameAt) >= SETTLED_MS
  const press = (event: KeyboardEvent): void => {
    const { key, target, timeStamp: at, ctrlKey, metaKey, altKey } = event
    if (isLetter(key) && !ctrlKey && !metaKey && !altKey && isField(target)) typedAt = at
    // The space or the end of a text, typed on while something took the focus to a button.
    else if (
      (key === ' ' || key === 'Enter') &&
      at - typedAt < SETTLED_MS &&
      at - cameAt < SETTLED_MS &&
      isButton(target)
    )
      event.preventDefault()
    isMoving = MOVES.has(key.toLowerCase()) || MOVES.has(key)
    isLeaving = key === 'Escape' || key === 'Tab'
    // A row that is not drawn yet gets the focus with the next frame.
    if (isMoving) requestAnimationFrame(() => setTimeout(() => (isMoving = isLeaving = false)))
  }
  const type = (event: Event): void => {
    // The choice in a list or of a box is no text, and its event no InputEvent.
    if (event instanceof InputEvent) typedAt = event.timeStamp
  }
  const come = ({ timeStamp }: Event): void => {
    cameAt = isMoving ? -Infinity : timeStamp
    // Whoever leaves a text by a key has ended it.
    if (isLeaving) typedAt = -Infinity
  }
  addEventListener('keydown', press, true)
  addEventListener('input', type, true)
  addEventListener('focusin', come, true)
  addEventListener('pointerdown', come, true)
  return {
    isSettled,
    noteLetter: (at) => void (typedAt = at),
    stop() {
      removeEventListener('keydown', press, true)
      removeEventListener('input', type, true)
      removeEventListener('focusin', come, true)
      removeEventListener('pointerdown', come, true)
    },
  }
}

function isField(target: EventTarget | null): boolean {
  return (target as Element).closest?.('input, textarea, select, [contenteditable]') !== null
}

const isLetter = (key: string): boolean => key.length === 1

function isButton(target: EventTarget | null): boolean {
  return (target as Element).closest?.('button, a, summary, [role="button"]') !== null && !isField(target)
}
