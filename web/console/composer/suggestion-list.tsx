import { Icon } from '../../shared/ui/icon.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import type { Suggestion } from './suggestions.js'

interface SuggestionListProps {
  id: string
  label: string
  suggestions: readonly Suggestion[]
  chosen: number
  choose(suggestion: Suggestion): void
}

/** Above the composer; the focus stays in the text, which names the chosen one. */
export function SuggestionList({ id, label, suggestions, chosen, choose }: SuggestionListProps) {
  useActWords()
  const words = catalogue.palette
  return (
    <div class="pop suggestions">
      <div class="opts" role="listbox" id={id} aria-label={label}>
        {suggestions.map((suggestion, index) => (
          <div
            key={suggestion.id}
            id={`${id}-${index}`}
            class="opt"
            role="option"
            aria-selected={index === chosen}
            onPointerDown={(event) => {
              event.preventDefault()
              choose(suggestion)
            }}
          >
            <Icon name={suggestion.icon} />
            <bdi class="cut">{suggestion.label}</bdi>
            <span class="mute t2">{suggestion.detail}</span>
          </div>
        ))}
      </div>
      <footer aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> {words.choose} <kbd>Enter</kbd> {words.open} <kbd>Esc</kbd>
      </footer>
    </div>
  )
}
