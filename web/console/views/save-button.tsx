import { useState } from 'preact/hooks'
import { Icon } from '../../shared/ui/icon.js'
import { Part } from '../lazy.js'
import type { Conditions } from './filters.js'
import { saved, useSavedWords } from './saved-words.js'

/** Saves the list with its filters as a view. */
export function SaveButton({ conditions }: { conditions: Conditions }) {
  useSavedWords()
  const [isOpen, open] = useState(false)
  return (
    <>
      <button class="btn ghost save-view" onClick={() => open(true)}>
        <Icon name="star" size="s" />
        {saved.save}
      </button>
      {isOpen && (
        <Part
          load={() => import('./save-view.js')}
          props={{ view: null, parts: { conditions, rest: {} }, close: () => open(false) }}
        />
      )}
    </>
  )
}
