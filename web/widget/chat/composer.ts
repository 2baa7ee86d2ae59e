import { bdi, el, icon } from './dom.js'
import type { View } from './view.js'

const STILL_MS = 4_000
const KEEP_MS = 300

export interface Composer {
  element: HTMLElement
  /** Gives back what was not sent, before what is typed since. */
  edit(text: string): void
  focus(): void
}

/** The visitor's text box: Enter sends, Shift and Enter begins a line. A text that was not sent is there again after a reload. */
export function createComposer({ talk, words }: View): Composer {
  let still: ReturnType<typeof setTimeout> | undefined
  let later: ReturnType<typeof setTimeout> | undefined
  const box = el('textarea', {
    rows: 1,
    dir: 'auto',
    'aria-label': words.message,
    placeholder: words.write,
    input: () => typed(),
    keydown(event: KeyboardEvent) {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      send()
    },
  })
  box.value = talk.storage.read<string>('draft') ?? ''
  const files = el('input', { type: 'file', hidden: true, 'aria-label': words.attach, change: () => void attach() })
  const notes = el('div', { class: 'notes' })
  const button = (label: string, name: 'clip' | 'send', more: Parameters<typeof el>[1]): HTMLElement =>
    el('button', { class: 'btn', 'aria-label': label, ...more }, icon(name))
  const element = el(
    'form',
    {
      class: 'say',
      'aria-label': words.message,
      submit(event: Event) {
        event.preventDefault()
        send()
      },
    },
    notes,
    files,
    button(words.attach, 'clip', { type: 'button', click: () => files.click() }),
    box,
    button(words.send, 'send', { class: 'btn primary' }),
  )
  addEventListener('pagehide', keep)
  return {
    element,
    edit(text) {
      box.value = box.value === '' ? text : `${text}\n${box.value}`
      keep()
      box.focus()
    },
    focus: () => box.focus(),
  }

  function keep(): void {
    clearTimeout(later)
    talk.storage.write('draft', box.value || null)
  }

  function typed(): void {
    talk.type(box.value !== '')
    clearTimeout(still)
    still = setTimeout(() => talk.type(false), STILL_MS)
    clearTimeout(later)
    later = setTimeout(keep, KEEP_MS)
  }

  function send(): void {
    const text = box.value
    if (text.trim() === '') return
    talk.say({ text })
    talk.type(false)
    box.value = ''
    keep()
    box.focus()
  }

  async function attach(): Promise<void> {
    const [file] = files.files ?? []
    if (!file) return
    const progress = el('progress', { 'aria-label': words.attach, max: 100, value: 0 })
    notes.replaceChildren(progress)
    try {
      const { upload } = await import('../rich/upload.js')
      await upload(talk, file, (percent) => (progress.value = percent))
      notes.replaceChildren()
    } catch (error) {
      const fault = `${file.name}: ${(error as Error).message || words.notSent}`
      notes.replaceChildren(el('p', { class: 'hint bad', role: 'alert' }, icon('alert', true), bdi(fault)))
    }
    files.value = ''
  }
}
