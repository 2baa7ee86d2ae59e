import { textOfHtml } from '../content/html-text.js'
import type { ButtonPlace } from '../conversations/api/buttons.js'
import type { Action, PostbackAction, ReplyAction } from '../messages/actions.js'
import type { MessageRow } from '../messages/message-row.js'

/** What a message says, to be put in words. */
export type Spoken = Pick<MessageRow, 'contentType' | 'text' | 'actions' | 'items' | 'meta'>

/** A button that is pressed by answering with its number or its text. */
export interface Choice {
  /** From 1, over the whole message. */
  number: number
  place: ButtonPlace
  action: ReplyAction | PostbackAction
}

/** What a link may say to a user of this product alone (4.7, rule 7): the consumer is none. */
const PLACEHOLDERS = /\{(?:authuser|authtoken)\}/g

/**
 * The best available delivery of a message where there is nothing but text (2.10): a title, the text, items as lines,
 * links and web views as `text: address`, replies and postbacks as numbered choices, a request for a location as its
 * words.
 * @param attachmentUrl of a file message (2.12)
 * @returns '' for a message that says nothing
 */
export function plainText(message: Spoken, attachmentUrl: string | null = null): string {
  // In the order of `choicesOf`: those of the items, then the message's own.
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

/** The body alone; null when there is none. The body of an image or a page is its address (2.9). */
export function bodyInWords({ contentType, text }: Pick<Spoken, 'contentType' | 'text'>): string | null {
  return text !== null && contentType === 'text/html' ? textOfHtml(text) : text
}

/** The reply and postback buttons in the order in which {@link plainText} numbers them. */
export function choicesOf({ actions, items }: Pick<Spoken, 'actions' | 'items'>): Choice[] {
  const places = [...(items ?? []).flatMap((item, index) => placed(item.actions, index)), ...placed(actions, null)]
  return places
    .filter((each): each is Omit<Choice, 'number'> => isChoice(each.action))
    .map((each, index) => ({ ...each, number: index + 1 }))
}

/** Where a link leads for a consumer. */
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
