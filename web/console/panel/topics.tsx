import { useState } from 'preact/hooks'
import { SetConversationDocument } from '../../generated/beside.js'
import { words as catalogue } from '../acts/words.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { useStore } from '../store/console-store.js'
import { Forms } from './forms.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'

/** The topic: the category, which can be changed, and the forms that are active in it. */
export function Topics({ thread }: { thread: ThreadFrame }) {
  const store = useStore()
  const words = catalogue.panel
  const { conversation } = thread
  const [fault, setFault] = useState<string | null>(null)
  const categories = store.organization.me.value?.organization?.categories ?? []
  const known = categories.map(({ name }) => name)
  const names =
    conversation.category && !known.includes(conversation.category) ? [conversation.category, ...known] : known
  const isFixed = conversation.status === 'ARCHIVED' || names.length === 0
  const change = (category: string): void => {
    setFault(null)
    store
      .request(SetConversationDocument, { conversation: conversation.id, patch: { category } })
      .catch((error: Error) => setFault(error.message))
  }
  return (
    <>
      {!isFixed && (
        <section class="sec">
          <h3 id="category-label">{words.category}</h3>
          <select
            class="in"
            aria-labelledby="category-label"
            value={conversation.category ?? ''}
            onChange={(event) => change(event.currentTarget.value)}
          >
            {conversation.category === null && <option value="">{words.noCategory}</option>}
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <ErrorHint text={fault} />
        </section>
      )}
      <Forms thread={thread} />
    </>
  )
}
