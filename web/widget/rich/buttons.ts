import { el, icon } from '../chat/dom.js'
import type { View } from '../chat/view.js'
import type { TalkMessage } from '../talk/thread.js'
import type { Part } from './part.js'
import { safeLink } from './safe-link.js'

type Button = NonNullable<TalkMessage['actions']>[number]

/**
 * The buttons of a message or of one of its items (2.10). Of replies one is chosen, and stays visible.
 * @returns null when there are none
 */
export function createButtons(view: View, message: TalkMessage, item: number | null = null): Part | null {
  const { talk, words } = view
  const buttons = (item === null ? message.actions : message.items?.[item]?.actions) ?? []
  if (buttons.length === 0) return null
  const element = el('div', { class: 'choices', tabindex: -1 })
  const failed = el('p', { class: 'hint bad', role: 'alert' }, icon('alert', true), words.notSent)
  let shown: Button | null | undefined
  const click = (index: number): void => {
    failed.remove()
    talk.click(message.id, index, item).catch(() => element.append(failed))
  }
  return {
    element,
    update() {
      const chosen = chosenOf(talk.thread.messages, message, buttons)
      if (chosen?.payload === shown?.payload && chosen?.text === shown?.text && shown !== undefined) return
      shown = chosen
      const hadFocus = element.contains(view.root.activeElement)
      element.replaceChildren(...buttons.map((button, index) => choice(view, button, chosen, () => click(index))))
      // A reply that was chosen is no button any more: the focus stays here, and with it the keys of the chat.
      if (hadFocus) element.focus()
    },
  }
}

function chosenOf(messages: readonly TalkMessage[], { createdAt }: TalkMessage, buttons: readonly Button[]) {
  const postback = messages.find((each) => {
    const [action] = each.actions ?? []
    return each.type === 'POSTBACK' && each.createdAt >= createdAt && action?.type === 'REPLY' && isIn(buttons, action)
  })
  return postback?.actions?.[0] ?? null
}

function isIn(buttons: readonly Button[], { payload, text }: Button): boolean {
  return buttons.some((each) => each.type === 'REPLY' && each.payload === payload && each.text === text)
}

function choice({ talk }: View, button: Button, chosen: Button | null, click: () => void): HTMLElement {
  const { type, text, uri, fallback, payload } = button
  const shared = { class: 'choice', dir: 'auto' }
  if (type === 'LINK' || type === 'WEBVIEW') {
    const href = safeLink(uri) ?? safeLink(fallback)
    return href ? el('a', { ...shared, href, target: '_blank', rel: 'noreferrer' }, text) : el('span', shared, text)
  }
  if (type === 'REPLY' && chosen) {
    const isChosen = chosen.payload === payload && chosen.text === text
    return el('span', { ...shared, 'data-on': isChosen }, isChosen && icon('check', true), text)
  }
  const share = (): void =>
    navigator.geolocation?.getCurrentPosition(({ coords: { latitude, longitude } }) =>
      talk.say({ text: `${latitude}, ${longitude}` }),
    )
  return el('button', { ...shared, type: 'button', click: type === 'LOCATION_REQUEST' ? share : click }, text)
}
