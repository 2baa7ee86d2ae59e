import type { Action } from '../messages/actions.js'
import type { ButtonPlace } from '../conversations/api/buttons.js'
import { clickReference } from './click-reference.js'
import { consumerUri } from './plain-text.js'
import { shorten } from './split-text.js'

export const TITLE_CHARS_MAX = 20

/** A button of Meta's messengers. */
export type HubButton =
  | { type: 'postback'; title: string; payload: string }
  | { type: 'phone_number'; title: string; payload: string }
  | {
      type: 'web_url'
      title: string
      url: string
      webview_height_ratio?: 'compact' | 'tall' | 'full'
      messenger_extensions?: true
      fallback_url?: string
    }

export interface QuickReply {
  content_type: 'text'
  title: string
  payload: string
  image_url?: string
}

type LinkAction = Extract<Action, { type: 'link' | 'webview' }>

/** The button of an action that opens an address; null where the platform has none, so that the message contains it as text. */
export type LinkButton = (action: LinkAction, title: string) => HubButton | null

/** A button that opens a page; null for another address, such as one to call or to mail to. */
export const pageButton: LinkButton = (action, title) => {
  const url = consumerUri(action.uri)
  return /^https?:/i.test(url) ? { type: 'web_url', title, url } : null
}

/**
 * Returns the closest button of the platform; null where it has none (mail addresses, requests for a location): the
 * message then contains it as text.
 */
export function hubButton(
  message: string,
  action: Action,
  place: ButtonPlace,
  linkButton: LinkButton,
): HubButton | null {
  const title = shorten(action.text, TITLE_CHARS_MAX)
  switch (action.type) {
    case 'link':
    case 'webview':
      return linkButton(action, title)
    case 'reply':
    case 'postback':
      return { type: 'postback', title, payload: clickReference({ message, ...place }) }
    case 'locationRequest':
      return null
  }
}

export function quickReply(
  message: string,
  action: Action & { type: 'reply' },
  place: ButtonPlace,
  hasPictures: boolean,
): QuickReply {
  return {
    content_type: 'text',
    title: shorten(action.text, TITLE_CHARS_MAX),
    payload: clickReference({ message, ...place }),
    ...(hasPictures && action.iconUrl !== undefined && { image_url: action.iconUrl }),
  }
}
