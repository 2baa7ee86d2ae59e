import { useState } from 'preact/hooks'
import { SetConversationDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { Thread } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice } from '../office.js'

/** What it is about: the category, which can be changed, and the forms that are active in it. */
export function Topics({ thread }: { thread: Thread }) {
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
          {fault && (
            <p class="hint bad" role="alert">
              {fault}
            </p>
          )}
        </section>
      )}
      {conversation.forms.length > 0 && (
        <section class="sec">
          <h3>{words.forms}</h3>
          {conversation.forms.map((form, index) => (
            <FormState key={index} form={form} />
          ))}
        </section>
      )}
    </>
  )
}

function FormState({ form }: { form: Record<string, unknown> }) {
  const words = t().panel
  const values = (form.values ?? {}) as Record<string, unknown>
  const given = Object.entries(values)
  const state = form.completedAt ? words.filled : given.length > 0 ? words.started : words.notAsked
  return (
    <details class="form-state">
      <summary class="other">
        <Icon name="form" />
        <bdi class="cut">{String(form.name ?? form.form ?? '')}</bdi>
        <span class="mute t2">{state}</span>
      </summary>
      <dl class="facts">
        {given.map(([key, value]) => [
          <dt key={key}>
            <bdi>{key}</bdi>
          </dt>,
          <dd key={`${key} value`} dir="auto">
            {Array.isArray(value) ? value.join(', ') : String(value)}
          </dd>,
        ])}
      </dl>
    </details>
  )
}
