import type { RefObject } from 'preact'
import { words } from './words.js'

interface CodeFieldProps {
  input: RefObject<HTMLInputElement | null>
  isInvalid: boolean
  /** Id of the element that says why it was refused. */
  describedBy: string
  hint?: string
  /** False where something else may take its place; default: true. */
  isRequired?: boolean
}

/** Takes a code of a second factor, which browsers and phones fill in. */
export function CodeField({ input, isInvalid, describedBy, hint, isRequired = true }: CodeFieldProps) {
  return (
    <div class="field">
      <label for="code">{words.code}</label>
      <input
        class="in"
        id="code"
        autocomplete="one-time-code"
        autocapitalize="off"
        spellcheck={false}
        required={isRequired}
        ref={input}
        aria-invalid={isInvalid}
        aria-describedby={`code-hint ${describedBy}`}
      />
      <p class="hint" id="code-hint">
        {hint}
      </p>
    </div>
  )
}
