import { useEffect, useRef, useState } from 'preact/hooks'
import { SetLabelsDocument } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { RequestDialog } from '../request-dialog.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { LabelChips } from './label-chips.js'

/** Puts labels on a conversation, and takes them off. */
export function LabelDialog({ thread, close }: { thread: ThreadFrame; close(): void }) {
  const store = useStore()
  useActWords()
  const words = catalogue.labels
  const { conversation } = thread
  const before = conversation.labels.map(({ id }) => id)
  const [chosen, choose] = useState<readonly string[]>(before)
  const [text, setText] = useState('')
  const fits = (name: string): boolean => name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())
  const offered = labelsFor(store, conversation)
  const shown = offered.filter(({ name }) => fits(name))
  const filter = useRef<HTMLInputElement>(null)
  // The dialog may be there before the labels have come.
  useEffect(() => filter.current?.focus(), [offered.length > 0])
  const toggle = (id: string): void =>
    choose((last) => (last.includes(id) ? last.filter((each) => each !== id) : [...last, id]))
  const submit = (): Promise<unknown> =>
    store.request(SetLabelsDocument, {
      conversation: conversation.id,
      add: chosen.filter((id) => !before.includes(id)),
      remove: before.filter((id) => !chosen.includes(id)),
    })
  return (
    <RequestDialog title={t().labels.title} icon="tag" label={t().save} tone="primary" submit={submit} close={close}>
      {offered.length === 0 ? (
        <p class="mid">
          {words.none} {store.isAdmin && <a href="/console/admin/labels">{words.toAdmin}</a>}
        </p>
      ) : (
        <>
          <div class="field">
            <label for="label-filter">{words.filter}</label>
            <input
              class="in"
              ref={filter}
              id="label-filter"
              value={text}
              autofocus
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </div>
          <fieldset class="checks label-list">
            <legend class="vh">{words.all}</legend>
            {shown.map((label) => (
              <label key={label.id} class="check">
                <input type="checkbox" checked={chosen.includes(label.id)} onChange={() => toggle(label.id)} />
                <LabelChips labels={[label]} />
              </label>
            ))}
            {shown.length === 0 && <p class="mute">{words.nothing}</p>}
          </fieldset>
        </>
      )}
    </RequestDialog>
  )
}

/** Those that may be put on it, and those that are on it already. */
function labelsFor({ organization }: ConsoleStore, { labels, organizationId }: ThreadFrame['conversation']) {
  const own = organization.me.peek()?.organizationId
  const usable = [...organization.labels.value.values()].filter(
    (label) => label.archivedAt === null && [organizationId, own].includes(label.organizationId),
  )
  return [...labels, ...usable.filter(({ id }) => labels.every((label) => label.id !== id))]
}
