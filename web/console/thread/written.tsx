import { StopMessageDocument } from '../../generated/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import type { Thread } from '../../shared/live/thread.js'
import { useStore } from '../store/console-store.js'

const shownOf = ({ written }: Thread) => [...written].filter(([, { text }]) => text !== '')

/**
 * The messages that are being written, which grow and can be stopped, and lines of those who type. A screen reader is told once
 * who answers, and reads the message when it is whole.
 */
export function Written({ thread, name }: { thread: Thread; name: string }) {
  useActWords()
  return (
    <>
      <Bubbles thread={thread} />
      <Lines thread={thread} name={name} />
    </>
  )
}

function Bubbles({ thread }: { thread: Thread }) {
  const store = useStore()
  const words = t().thread
  const stop = (id: string): void => void store.request(StopMessageDocument, { id }).catch(() => undefined)
  return (
    <div aria-live="off">
      {shownOf(thread).map(([id, { name, isBackchannel, text }]) => (
        <div key={id} class={isBackchannel ? 'notebox' : 'turn us'}>
          <div class="body">
            <p class="who">
              <b>
                <bdi>{name}</bdi>
              </b>
              {isBackchannel && <span>{words.note}</span>}
            </p>
            <p class="bub said" dir="auto" aria-busy="true">
              {text}
            </p>
            <button class="btn small" onClick={() => stop(id)}>
              {catalogue.beside.stopWriting}
            </button>
          </div>
        </div>
      ))}
    </div>
  )
}

function Lines({ thread, name }: { thread: Thread; name: string }) {
  const { user } = useStore()
  const words = t().thread
  const others = [...thread.typing].filter(([who]) => who !== user)
  return (
    <>
      {shownOf(thread).map(([id, written]) => (
        <p class="vh" key={id}>
          {catalogue.beside.answering(written.name ?? words.bot)}
        </p>
      ))}
      {others.map(([who, said]) => (
        <p class="typing" key={who ?? 'consumer'}>
          <i aria-hidden="true">
            <span />
          </i>
          <bdi>
            {who === null
              ? catalogue.beside.consumerTyping(said.name || name)
              : said.isNote
                ? catalogue.beside.typingNote(said.name)
                : words.typing(said.name)}
          </bdi>
        </p>
      ))}
    </>
  )
}
