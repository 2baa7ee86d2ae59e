import { Unprocessable } from '../../../platform/errors.js'
import type { ActiveForm, FormResult } from '../../forms/active-form.js'
import { isAbsent, isWebAddress, parseText } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import { readForms } from '../messages/read-forms.js'
import { mailResults } from '../messages/results-mail.js'
import type { Command } from './command.js'

/** Maximum size of a conversation's results as JSON, since they are stored in its row. */
const RESULTS_BYTES_MAX = 1_048_576

/**
 * `/send` (4.8): turns completed forms into results, adds a message of type `results`, and mails the results to each
 * form's addresses. With `form`, sends that form of the active category; otherwise all completed forms of every
 * category. Without completed forms, it has no effect.
 */
export const send: Command<{ form?: string }> = {
  name: 'send',
  permission: 'conversation.command',
  grant: 'other',
  check: ({ form }, at) => (isAbsent(form) ? {} : { form: parseText(form, at('form')).toLowerCase() }),
  async run({ change, given: { form = null }, at }) {
    const { conversation } = change
    const completed = conversation.forms.filter(isCompleted)
    const sent = form === null ? completed : completed.filter((each) => isOf(conversation, each, form))
    if (sent.length === 0) {
      if (form === null) return
      throw new Unprocessable(`the form ${form} is not completed in the active category`, {
        reason: 'FORM_NOT_COMPLETED',
        field: at('form'),
      })
    }
    moveToResults(conversation, sent)
    const message = change.addMessage({
      ...emptyMessage(change.clock.newId()),
      type: 'results',
      isBackchannel: true,
      text: sent.map(({ name }) => name).join(', '),
      meta: metaOf(conversation, form),
      results: sent,
    })
    await mail(change, message.id, sent)
  },
}

function isCompleted(form: ActiveForm): form is FormResult {
  return form.completedAt !== null
}

/** Static forms belong to every category. */
function isOf({ categoryIndex }: ConversationState, each: FormResult, form: string): boolean {
  return each.form === form && (each.categoryIndex === null || each.categoryIndex === categoryIndex)
}

function moveToResults(conversation: ConversationState, sent: readonly FormResult[]): void {
  const results = [...conversation.results, ...sent]
  const bytes = Buffer.byteLength(JSON.stringify(results))
  if (bytes > RESULTS_BYTES_MAX) {
    throw new Unprocessable(`the results would have ${bytes} bytes as JSON; at most ${RESULTS_BYTES_MAX}`, {
      reason: 'TOO_LARGE',
    })
  }
  conversation.results = results
  conversation.forms = conversation.forms.filter((each) => !sent.includes(each as FormResult))
}

/** 2.12: `url` is the page of the widget, from the conversation's metadata. */
function metaOf({ meta }: ConversationState, form: string | null): JsonObject | null {
  const url = meta.url ?? meta._url
  const own = { ...(typeof url === 'string' && isWebAddress(url) && { url }), ...(form !== null && { form }) }
  return Object.keys(own).length > 0 ? own : null
}

async function mail(change: ConversationChange, message: string, sent: readonly FormResult[]): Promise<void> {
  const definitions = await readForms(
    change,
    sent.map(({ form }) => form),
  )
  for (const [index, { form }] of sent.entries()) {
    const definition = definitions.get(form)
    if (!definition) continue
    for (const job of mailResults(change.conversation, { message, index, form: definition })) change.addJob(job)
  }
}
