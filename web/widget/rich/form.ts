import type { MessageInput } from '../../generated/widget.js'
import { bdi, el, icon } from '../chat/dom.js'
import type { View } from '../chat/view.js'
import type { TalkForm, TalkMessage } from '../talk/thread.js'
import type { Part } from './part.js'
import { createQuestion, type Question } from './question.js'

type Definition = NonNullable<TalkMessage['form']>

/** A form that somebody asked for (2.12): what is filled in goes as field messages, whole or not at all. */
export function createForm(view: View, message: TalkMessage, form: Definition): Part {
  const { talk, words } = view
  const place = (message.meta?.categoryIndex as number | undefined) ?? null
  const inside = el('div')
  const element = el('div', { class: 'card' }, el('p', { class: 'b form', dir: 'auto' }, form.name), inside)
  let isEdited = false
  let shown = ''
  return { element, update }

  function update(): void {
    const active = talk.thread.forms.find((each) => each.formId === form.id && each.categoryIndex === place)
    const sending = talk.pending.find((outgoing) => outgoing.form === message.id)
    const refusal = sending?.refusal
    if (sending && !refusal) {
      const state = talk.offlineSince === null ? words.sending : words.waits
      show(state, () => el('p', { class: 'form mute' }, el('span', {}, icon('clock', true), ` ${state}`)))
    } else if (!active) show('closed', () => el('p', { class: 'form mute' }, words.formClosed))
    else if (active.completedAt && !isEdited && !refusal) {
      show(JSON.stringify(active), () => filledIn(view, form, active, edit))
    } else {
      // What is being filled in stays, whatever else changes.
      show(`questions ${refusal?.message ?? ''}`, () =>
        createQuestions(view, { message, form, active, sent: sending?.messages ?? [], refusal, done }),
      )
    }
  }

  function show(key: string, make: () => HTMLElement): void {
    if (key === shown) return
    shown = key
    inside.replaceChildren(make())
  }

  function edit(): void {
    isEdited = true
    update()
    inside.querySelector<HTMLElement>('.in, input')?.focus()
  }

  function done(): void {
    isEdited = false
    shown = ''
    update()
  }
}

function filledIn({ words }: View, { fields }: Definition, { values }: TalkForm, edit: () => void): HTMLElement {
  const rows = fields
    .filter(({ key }) => key in values)
    .map(({ key, type, label }) => {
      const text = textOf(values[key])
      const said = type === 'BOOLEAN' ? words[text === 'true' ? 'yes' : 'no'] : text
      return el('div', {}, el('dt', { dir: 'auto' }, label), el('dd', { dir: 'auto' }, said))
    })
  const again = el('button', { type: 'button', class: 'link', click: edit }, words.edit)
  return el(
    'div',
    { class: 'form' },
    el('dl', {}, ...rows),
    el('p', { class: 'mute' }, icon('check', true), ` ${words.formSent} `, again),
  )
}

interface Asked {
  message: TalkMessage
  form: Definition
  active: TalkForm
  /** Input that was sent and refused. */
  sent: readonly MessageInput[]
  refusal: { message: string; field?: string } | undefined
  done(): void
}

function createQuestions({ talk, words }: View, asked: Asked): HTMLElement {
  const { message, form, active, sent, refusal, done } = asked
  const draft = `form ${message.id}`
  const known = Object.fromEntries(form.fields.map(({ key }) => [key, textOf(active.values[key])]))
  const values: Record<string, string> = {
    ...known,
    ...sentValues(form, sent),
    // What was half filled in is there again after a reload.
    ...talk.storage.read<Record<string, string>>(draft),
  }
  const questions = form.fields.map((field) =>
    createQuestion({ field, words, id: message.id, value: values[field.key]!, changed: keep }),
  )
  const refused = questions.find(({ field }) => refusal?.field?.endsWith(`text .${field.key}`))
  refused?.fault(refusal!.message.replace(/^.*?text \.\S+ /, ''))
  const said = refusal && !refused ? bdi(refusal.message) : null
  return el(
    'form',
    { class: 'form', 'aria-label': form.name, novalidate: true, submit },
    ...questions.map(({ element }) => element),
    said && el('p', { class: 'hint bad', role: 'alert' }, icon('alert', true), ' ', said),
    el('button', { class: 'btn primary wide' }, words.sendForm),
  )

  function keep(): void {
    talk.storage.write(draft, valuesOf(questions))
  }

  function submit(event: Event): void {
    event.preventDefault()
    const wrong = questions.filter((question) => !question.check())
    if (wrong[0]) return wrong[0].focus()
    const given = valuesOf(questions)
    const changed = form.fields.filter(({ key }) => given[key] !== known[key])
    talk.storage.write(draft, null)
    if (changed.length > 0) talk.fill(message.id, fieldMessages(message, changed, given))
    done()
  }
}

function valuesOf(questions: readonly Question[]): Record<string, string> {
  return Object.fromEntries(questions.map(({ field, value }) => [field.key, value().trim()]))
}

function fieldMessages({ meta }: TalkMessage, fields: Definition['fields'], values: Record<string, string>) {
  return fields.map(({ id, key }): MessageInput => ({
    type: 'FIELD',
    text: `.${key} ${values[key]}`.trimEnd(),
    meta: { form: meta?.form, categoryIndex: meta?.categoryIndex, field: id },
  }))
}

/** As they were typed, in what was refused. */
function sentValues({ fields }: Definition, sent: readonly MessageInput[]): Record<string, string> {
  const given = sent.flatMap(({ text, meta }) => {
    const field = fields.find(({ id }) => id === meta?.field)
    return field ? [[field.key, text!.slice(field.key.length + 2)]] : []
  })
  return Object.fromEntries(given) as Record<string, string>
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)
}
