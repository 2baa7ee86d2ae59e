import { useActWords } from '../../acts/words.js'
import { conditionText, isAlways, type Line } from './grants.js'
import { words } from './words.js'

/** Lines in words, in the order in which they are tried. */
export function LineList({ lines }: { lines: readonly Line[] }) {
  useActWords()
  return (
    <ol class="grants">
      {lines.map(({ action, mode, conditions }, index) => (
        <li key={index}>
          <b>{words.actions[action]}</b>: {words.modes[mode]}
          {!isAlways(conditions) && (
            <>
              , <bdi>{words.ifText(conditionText(conditions))}</bdi>
            </>
          )}
        </li>
      ))}
    </ol>
  )
}
