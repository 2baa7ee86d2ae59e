import type { ThreadMessage } from '../../shared/live/thread.js'
import { isWeb } from './is-web.js'
import { useActWords, words } from '../acts/words.js'

/** Says what a bot's message was made of: the consumer sees the sources alone. */
export function ProvenanceLine({ message: { provenance } }: { message: Pick<ThreadMessage, 'provenance'> }) {
  useActWords()
  if (!provenance) return null
  const { model, tools, sources } = provenance
  const own = words.provenance
  const used = tools.join(', ')
  const made = model === null ? used && own.withTools(used) : used ? own.byWith(model, used) : own.by(model)
  return (
    <div class="sent made">
      {made && <p dir="auto">{made}</p>}
      {sources.length > 0 && (
        <>
          <p>{own.sources}</p>
          <ol>
            {sources.map(({ title, url }) => (
              <li key={`${title} ${url}`}>
                {isWeb(url) ? (
                  <a href={url} target="_blank" rel="noreferrer noopener">
                    <bdi>{title}</bdi>
                  </a>
                ) : (
                  <bdi>{title}</bdi>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
