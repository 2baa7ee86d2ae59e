import { useState } from 'preact/hooks'
import { SetConversationDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { useOffice } from '../office.js'
import { Forms } from './forms.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'

/** What it is about: the category, which can be changed, and the forms that are active in it. */
export function Topics({ thread }: { thread: ThreadFrame }) {
  const office = useOffice()
  const words = t().panel
  const { conversation } = thread
  const [fault, setFault] = useState<string | null>(null)
  const categories = office.me.value?.organization?.categories ?? []
  const known = categories.map(({ name }) => name)
  const names =
    conversation.category && !known.includes(conversation.category) ? [conversation.category, ...known] : known
  const isFixed = conversation.status === 'ARCHIVED' || names.length === 0
  const change = (category: string): void => {
    setFault(null)
    office
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
