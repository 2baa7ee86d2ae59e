import { RequestTranscriptCodeDocument, SendTranscriptDocument } from '../../generated/transcript.js'
import type { el as createElement } from '../chat/dom.js'
import type { View } from '../chat/view.js'
import copyCss from '../style/copy.css'
import { copyWords } from './copy-words.js'

/**
 * Offers the visitor a copy of the conversation by email, once there is something to copy: first the address, then the code
 * that proves it.
 * @param below the line at the end of the chat, which it joins
 * @param el given, not imported: a third chunk that imports what two share would split that, and weigh on every chat
 */
export function offerCopy(
  { talk, language, root, words: shared }: View,
  below: HTMLElement,
  el: typeof createElement,
): void {
  const words = copyWords(language)
  // As `addStyle` does, which the first two chunks share.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(copyCss)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  const button = el('button', { type: 'button', class: 'link', click: ask }, words.copy)
  const offer = el('span', { hidden: true }, ' · ', button)
  below.append(offer)
  let isOpen = false
  const update = (): void => {
    offer.hidden = isOpen || !talk.settings?.copies || talk.thread.messages.length === 0
  }
  update()
  talk.listen(update)

  function ask(): void {
    const email = field('email', words.email, { type: 'email', autocomplete: 'email', required: true })
    const code = field('code', words.code, { inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 12 })
    const fault = el('p', { class: 'hint bad', role: 'alert' })
    const help = el('p', { class: 'hint', role: 'status' })
    const submit = el('button', { class: 'btn primary' }, words.sendCode)
    const cancel = el('button', { type: 'button', class: 'btn', click: close }, words.cancel)
    const form = el(
      'form',
      {
        class: 'copy',
        'aria-label': words.copy,
        submit: (event: Event) => {
          event.preventDefault()
          void next()
        },
        keydown: (event: KeyboardEvent) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        },
      },
      email.element,
      help,
      fault,
      submit,
      cancel,
    )
    below.before(form)
    isOpen = true
    update()
    email.box.focus()

    function close(): void {
      form.remove()
      isOpen = false
      update()
      button.focus()
    }

    async function next(): Promise<void> {
      const to = email.box.value.trim()
      fault.replaceChildren()
      submit.disabled = true
      try {
        if (!code.element.isConnected) {
          await talk.ask(RequestTranscriptCodeDocument, (conversation) => ({ conversation, to }))
          email.box.readOnly = true
          help.replaceChildren(words.help)
          help.after(code.element)
          submit.replaceChildren(words.send)
          code.box.focus()
        } else {
          await talk.ask(SendTranscriptDocument, (conversation) => ({ conversation, to, code: code.box.value }))
          form.replaceChildren(el('p', { role: 'status' }, words.sent(to)), cancel)
          cancel.replaceChildren(shared.dismiss)
          cancel.focus()
        }
      } catch (error) {
        fault.replaceChildren((error as Error).message)
      }
      submit.disabled = false
    }
  }

  function field(name: string, label: string, attributes: Parameters<typeof createElement>[1]) {
    const box = el('input', { class: 'in', name, 'aria-label': label, placeholder: label, ...attributes })
    return { box, element: el('div', {}, box) }
  }
}
