import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { words } from './words.js'

/** The agent's own texts (2.3). `;` in the composer finds them by any of their words. */
export function CannedResponses({ responses, change }: { responses: readonly string[]; change(next: string[]): void }) {
  const [edited, edit] = useState<number | null>(null)
  const save = (index: number, text: string): void => {
    edit(null)
    const next = [...responses]
    next.splice(index, 1, ...(text.trim() ? [text.trim()] : []))
    change(next)
  }
  return (
    <section class="box" aria-label={words.canned}>
      <header>
        <Icon name="canned" />
        <h2>{words.canned}</h2>
        <span class="mute t2">{words.cannedHelp}</span>
        <button class="btn small push" onClick={() => edit(responses.length)}>
          <Icon name="plus" size="s" />
          {words.addCanned}
        </button>
      </header>
      {responses.length === 0 && edited === null && <p class="pad mid">{words.noCanned}</p>}
      {[...responses, ...(edited === responses.length ? [''] : [])].map((text, index) =>
        edited === index ? (
          <Editor key={index} text={text} save={(next) => save(index, next)} cancel={() => edit(null)} />
        ) : (
          <div class="set" key={index}>
            <span class="said" dir="auto">
              {text}
            </span>
            <button
              class="btn ghost small"
              aria-label={`${words.edit}: ${text.slice(0, 40)}`}
              onClick={() => edit(index)}
            >
              {words.edit}
            </button>
          </div>
        ),
      )}
    </section>
  )
}

function Editor({ text, save, cancel }: { text: string; save(text: string): void; cancel(): void }) {
  const [value, set] = useState(text)
  return (
    <form
      class="pad stack"
      onSubmit={(event) => {
        event.preventDefault()
        save(value)
      }}
    >
      <div class="field">
        <label for="canned-text">{words.cannedText}</label>
        <textarea
          class="in"
          id="canned-text"
          rows={3}
          dir="auto"
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
          autofocus
        />
        <p class="hint">{words.placeholders}</p>
      </div>
      <div class="line">
        <button class="btn primary">{t().save}</button>
        <button class="btn" type="button" onClick={cancel}>
          {t().cancel}
        </button>
        {text && (
          <button class="btn ghost danger push" type="button" onClick={() => save('')}>
            {words.remove}
          </button>
        )}
      </div>
    </form>
  )
}
