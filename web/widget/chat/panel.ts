import { createComposer } from './composer.js'
import { el, icon } from './dom.js'
import { createLog } from './log.js'
import { initialsOf } from './turns.js'
import { timeOfDay, type View } from './view.js'

export interface Panel {
  element: HTMLElement
  update(): void
  /** After it was put into the document. */
  opened(): void
}

/** The open chat. */
export function createPanel(view: View, close: () => void): Panel {
  const { talk, words } = view
  const title = el('bdi')
  const state = el('p', { class: 'mute' })
  const dot = el('span', { class: 'dot' })
  const face = el('span', {}, icon('chat'))
  const avatar = el('span', { class: 'av big', 'aria-hidden': 'true' }, face)
  const band = el('div', { role: 'status' })
  const composer = createComposer(view)
  const log = createLog(view, composer.edit)
  const person = el(
    'button',
    { type: 'button', class: 'btn person', click: () => void talk.askForPerson() },
    words.person,
  )
  const fault = el('div', { class: 'fault', role: 'alert' })
  const by = el('p', { class: 'by' }, words.by)
  const element = el(
    'section',
    {
      class: 'w',
      role: 'dialog',
      keydown(event: KeyboardEvent) {
        if (event.key !== 'Escape' || event.isComposing) return
        event.stopPropagation()
        close()
      },
    },
    el(
      'div',
      { class: 'head' },
      avatar,
      el('div', { class: 'grow' }, el('h2', {}, title), state),
      el('button', { type: 'button', class: 'btn', 'aria-label': words.close, click: close }, icon('down')),
    ),
    band,
    log.element,
    person,
    composer.element,
    by,
  )
  let since: number | null = null
  fitVisualViewport(element)
  void import('../rich/copy.js').then(({ offerCopy }) => offerCopy(view, by, el))
  return {
    element,
    update,
    opened() {
      log.toEnd()
      composer.focus()
    },
  }

  function update(): void {
    const { settings } = talk
    const name = settings?.looks.title
    element.ariaLabel = title.textContent = name ?? words.title
    if (name) face.textContent = initialsOf(name)
    if (settings?.online && talk.offlineSince === null) avatar.append(dot)
    else dot.remove()
    state.textContent = stateOf()
    if (talk.offlineSince !== since) showBand((since = talk.offlineSince))
    if (talk.fault && !fault.isConnected) {
      const reason = el('p', { class: 'mute' }, `${words.setUp} `, el('bdi', { lang: 'en' }, talk.fault.message))
      fault.replaceChildren(el('p', { class: 'b' }, icon('alert'), ` ${words[talk.fault.is]}`), reason)
      log.element.replaceWith(fault)
    } else if (!talk.fault && fault.isConnected) fault.replaceWith(log.element)
    person.hidden = !talk.isWithBot
    log.update()
  }

  function showBand(from: number | null): void {
    if (from === null) return band.replaceChildren()
    const when = el('b', {}, icon('off'), ` ${words.offlineSince(timeOfDay(from, view))}`)
    band.replaceChildren(el('p', { class: 'band' }, when, el('span', {}, words.offlineHelp)))
  }

  function stateOf(): string {
    const { fault: hasFault, offlineSince, settings } = talk
    if (hasFault) return ''
    if (offlineSince !== null) return words.offline
    if (!settings) return words.connecting
    const { agents } = talk.thread
    if (agents.length > 0) return words.answers(agents.slice(0, 2).join(', '))
    // Nothing is said where nobody is there: the log says so.
    return words[settings.reach as 'OPEN']
  }
}

/** On a telephone the keyboard covers a part of the page: what is left is the chat's. */
function fitVisualViewport(panel: HTMLElement): void {
  const { visualViewport } = window
  const fit = (): void => {
    panel.style.setProperty('--height', `${visualViewport!.height}px`)
    panel.style.setProperty('--top', `${visualViewport!.offsetTop}px`)
  }
  visualViewport?.addEventListener('resize', fit)
  visualViewport?.addEventListener('scroll', fit)
}
