import { bdi, el, icon } from '../chat/dom.js'
import type { TalkMessage } from '../talk/thread.js'
import type { Messages } from '../words/en.js'

export type Field = NonNullable<TalkMessage['form']>['fields'][number]

/** A question of a form, by the type of its field. */
export interface Question {
  field: Field
  element: HTMLElement
  /** The choices of a multiselect with commas between. */
  value(): string
  /** Says what is wrong with the value. @returns whether nothing is */
  check(): boolean
  fault(text: string): void
  focus(): void
}

interface QuestionOptions {
  field: Field
  words: Messages
  /** The message's id: an id in the document is there once. */
  id: string
  value: string
  changed(): void
}

const TYPES: Partial<Record<Field['type'], string>> = {
  EMAIL: 'email',
  TELEPHONE: 'tel',
  NUMBER: 'number',
  DATE: 'date',
  URL: 'url',
}

export function createQuestion({ field, words, id, value, changed }: QuestionOptions): Question {
  const { key, label, type, required, options, placeholder, min, max } = field
  const name = `${id} ${field.id}`.replaceAll(' ', '-')
  const hint = el('p', { class: 'hint bad', role: 'alert', id: `${name}-fault` })
  const mark = !required && el('span', { class: 'mute' }, ` ${words.optional}`)
  const shared = { id: name, name: key, class: 'in', dir: 'auto', required, placeholder, input: changed }
  const lengths = { minlength: min, maxlength: max }
  const choose = (texts: readonly string[], wordOf = (text: string) => text): HTMLSelectElement =>
    el(
      'select',
      shared,
      el('option', { value: '' }),
      ...texts.map((text) => el('option', { value: text }, wordOf(text))),
    )
  const boxes = type === 'MULTISELECT' ? options.map((option) => boxOf(option, value, changed)) : null
  const input =
    type === 'TEXTAREA'
      ? el('textarea', { ...shared, ...lengths, rows: 3 })
      : type === 'SELECT'
        ? choose(options)
        : type === 'BOOLEAN'
          ? choose(['true', 'false'], (text) => words[text === 'true' ? 'yes' : 'no'])
          : type === 'NUMBER'
            ? el('input', { ...shared, type: 'number', step: 'any', min, max })
            : el('input', { ...shared, ...lengths, type: TYPES[type] ?? 'text' })
  input.value = value
  const element = boxes
    ? el('fieldset', {}, el('legend', { dir: 'auto' }, label, mark), ...boxes.map(({ line }) => line))
    : el('div', {}, el('label', { for: name, dir: 'auto' }, label, mark), input)
  const valueOf = (): string =>
    boxes ? boxes.flatMap(({ box }) => (box.checked ? box.value : [])).join(', ') : input.value
  return {
    field,
    element,
    value: valueOf,
    check() {
      const isChosen = boxes?.some(({ box }) => box.checked)
      // In the browser's language, as it says it everywhere.
      const wrong = boxes
        ? required && !isChosen
          ? el('input', { required }).validationMessage
          : ''
        : input.validationMessage
      fault(wrong)
      return wrong === ''
    },
    fault,
    focus: () => (boxes?.[0]?.box ?? input).focus(),
  }

  function fault(text: string): void {
    const target = boxes ? element : input
    target.ariaInvalid = text ? 'true' : null
    if (!text) {
      target.removeAttribute('aria-describedby')
      return hint.remove()
    }
    target.setAttribute('aria-describedby', hint.id)
    hint.replaceChildren(icon('alert', true), ' ', bdi(text))
    element.append(hint)
  }
}

function boxOf(option: string, value: string, changed: () => void): { box: HTMLInputElement; line: HTMLElement } {
  const box = el('input', { type: 'checkbox', value: option, input: changed })
  box.checked = value.split(', ').includes(option)
  return { box, line: el('label', { dir: 'auto' }, box, option) }
}
