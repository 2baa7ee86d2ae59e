import { textOfHtml } from '../../platform/content/html-text.js'
import type { ButtonPlace } from '../conversations/api/buttons.js'
import type { Action, PostbackAction, ReplyAction } from '../messages/actions.js'
import type { MessageRow } from '../messages/message-row.js'

/** Content of a message that is to be rendered as text. */
export type Spoken = Pick<MessageRow, 'contentType' | 'text' | 'actions' | 'items' | 'meta'>

/** A button that is pressed by answering with its number or its text. */
export interface Choice {
  /** From 1, across the whole message. */
  number: number
  place: ButtonPlace
  action: ReplyAction | PostbackAction
}

/** Placeholders for users of this product (4.7, rule 7); removed for consumers. */
const PLACEHOLDERS = /\{(?:authuser|authtoken)\}/g

/**
 * Renders a message for touchpoints that only have text (2.10, best available delivery): title, text, items as lines,
 * links and web views as `text: address`, replies and postbacks as numbered choices, a request for a location as its
 * text.
 * @param attachmentUrl link of a file message (2.12)
 * @returns '' for an empty message
 */
export function plainText(message: Spoken, attachmentUrl: string | null = null): string {
  // In the order of `choicesOf`: buttons of the items, then of the message.
  let choices = 0
  const buttons = (actions: readonly Action[] | null | undefined): string[] =>
    (actions ?? []).map((action) => (isChoice(action) ? `${++choices}. ${action.text}` : inWords(action)))
  const { title } = message.meta ?? {}
  const blocks = [
    [typeof title === 'string' ? title : null, bodyInWords(message), attachmentUrl],
    ...(message.items ?? []).map(({ title: name, description, mediaUrl, actions }) => [
      name,
      description,
      mediaUrl,
      ...buttons(actions),
    ]),
    buttons(message.actions),
  ]
  return blocks
    .map((lines) => lines.filter(Boolean).join('\n'))
    .filter(Boolean)
    .join('\n\n')
}

/** Renders the body only; null when there is none. The body of an image or a page is its address (2.9). */
export function bodyInWords({ contentType, text }: Pick<Spoken, 'contentType' | 'text'>): string | null {
  return text !== null && contentType === 'text/html' ? textOfHtml(text) : text
}

/** Returns the reply and postback buttons in the order in which {@link plainText} numbers them. */
export function choicesOf({ actions, items }: Pick<Spoken, 'actions' | 'items'>): Choice[] {
  const places = [...(items ?? []).flatMap((item, index) => placed(item.actions, index)), ...placed(actions, null)]
  return places
    .filter((each): each is Omit<Choice, 'number'> => isChoice(each.action))
    .map((each, index) => ({ ...each, number: index + 1 }))
}

/** Returns a link's address for a consumer. */
export function consumerUri(uri: string): string {
  return uri.replace(PLACEHOLDERS, '')
}

function placed(
  actions: readonly Action[] | null | undefined,
  item: number | null,
): { place: ButtonPlace; action: Action }[] {
  return (actions ?? []).map((action, index) => ({ place: { action: index, item }, action }))
}

function isChoice(action: Action): action is Choice['action'] {
  return action.type === 'reply' || action.type === 'postback'
}

function inWords(action: Exclude<Action, Choice['action']>): string {
  switch (action.type) {
    case 'link':
      return `${action.text}: ${consumerUri(action.uri)}`
    case 'webview':
      return `${action.text}: ${action.fallback ?? action.uri}`
    case 'locationRequest':
      return action.text
  }
}
