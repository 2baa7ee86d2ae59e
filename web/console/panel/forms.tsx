import { useEffect, useState } from 'preact/hooks'
import { SendDocument, type MessageInput } from '../../generated/conversations.js'
import { CategoryFormsDocument, type CategoryFormsQuery } from '../../generated/beside.js'
import { words as catalogue } from '../acts/words.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { newId } from '@switchboard/client'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Opened } from '../lazy.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import type { FillableForm } from './fill-form.js'

type Category = NonNullable<NonNullable<CategoryFormsQuery['me']['organization']>['categories']>[number]

/** The forms of the active category, and those that are being filled in: the agent fills them as the consumer would. */
export function Forms({ thread }: { thread: ThreadFrame }) {
  const store = useStore()
  const words = catalogue.panel
  const { conversation } = thread
  const categories = useCategories()
  const [filled, fill] = useState<FillableForm | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const definitions = new Map(categories.flatMap(({ forms }) => forms).map((form) => [form.id, form]))
  const offered = categories.find(({ name }) => name === conversation.category)?.forms ?? []
  const { forms: active } = conversation
  const begun = active.filter(({ values }) => Object.keys(values).length > 0)
  // Those that were asked for and not begun, and those that could be.
  const open = [
    ...active.filter((each) => !begun.includes(each)).flatMap(({ formId }) => definitions.get(formId) ?? []),
    ...offered.filter(({ id }) => !active.some(({ formId }) => formId === id)),
  ]
  if (begun.length + open.length === 0) return null
  const canFill = conversation.status !== 'ARCHIVED'
  // Elsewhere a form has no fields to fill in.
  const canAsk = canFill && conversation.touchpoint === 'WEB'
  const say = (message: MessageInput): void => {
    setFault(null)
    store
      .request(SendDocument, { conversation: conversation.id, message: { id: newId(), ...message } })
      .catch((error: Error) => setFault(error.message))
  }
  const send = (): void => say({ type: 'COMMAND', text: '/send' })
  const ask = ({ id, name }: Category['forms'][number]): void =>
    say({ type: 'FORM', role: 'AGENT', text: `+${name}`, meta: { form: id } })
  return (
    <section class="sec">
      <h3>{words.forms}</h3>
      {begun.map(({ formId, name, values, completedAt }) => (
        <details class="form-state" key={`${formId} ${name}`}>
          <summary class="other">
            <Icon name="form" />
            <bdi class="cut">{name}</bdi>
            <span class="mute t2">{completedAt ? words.filled : words.started}</span>
          </summary>
          <dl class="facts">
            {Object.entries(values).map(([key, value]) => [
              <dt key={key}>
                <bdi>{definitions.get(formId)?.fields.find((field) => field.key === key)?.label ?? key}</bdi>
              </dt>,
              <dd key={`${key} value`} dir="auto">
                {Array.isArray(value) ? value.join(', ') : String(value)}
              </dd>,
            ])}
          </dl>
          {canFill && definitions.has(formId) && (
            <button class="btn small" onClick={() => fill({ ...definitions.get(formId)!, values, isActive: true })}>
              {words.fill(name)}
            </button>
          )}
        </details>
      ))}
      {open.map((form) => (
        <div class="line" key={form.id}>
          <button
            class="other grow"
            disabled={!canFill}
            aria-label={words.fill(form.name)}
            onClick={() => fill({ ...form, values: {}, isActive: active.some((each) => each.formId === form.id) })}
          >
            <Icon name="form" />
            <bdi class="cut">{form.name}</bdi>
            <span class="mute t2">{words.notAsked}</span>
          </button>
          {canAsk && (
            <button class="btn small" aria-label={words.askFor(form.name)} onClick={() => ask(form)}>
              {words.ask}
            </button>
          )}
        </div>
      ))}
      {canFill && active.some(({ completedAt }) => completedAt) && (
        <button class="btn small" onClick={send}>
          {words.sendResults}
        </button>
      )}
      <ErrorHint text={fault} />
      {filled && <Opened dialog="FillForm" conversation={conversation.id} form={filled} close={() => fill(null)} />}
    </section>
  )
}

/** As they were last: what is drawn of them at once moves nothing later. */
const known = new WeakMap<ConsoleStore, readonly Category[]>()

function useCategories(): readonly Category[] {
  const store = useStore()
  const [categories, setCategories] = useState<readonly Category[]>(known.get(store) ?? [])
  useEffect(() => {
    const stop = new AbortController()
    store.request(CategoryFormsDocument, {}, stop.signal).then(
      ({ me }) => {
        const answer = me.organization?.categories ?? []
        known.set(store, answer)
        setCategories(answer)
      },
      () => undefined,
    )
    return () => stop.abort()
  }, [store])
  return categories
}
