import type { Action } from '../../messages/actions.js'
import type { ButtonPlace } from '../../conversations/api/buttons.js'
import { consumerUri } from '../plain-text.js'
import { clickReference } from '../click-reference.js'
import { shorten } from '../split-text.js'

export const TITLE_CHARS_MAX = 20

/** A button of the Send API. */
export type MessengerButton =
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

/**
 * Returns the closest button of the platform; null where it has none (mail addresses, requests for a location): the
 * message then contains it as text.
 */
export function messengerButton(message: string, action: Action, place: ButtonPlace): MessengerButton | null {
  const title = shorten(action.text, TITLE_CHARS_MAX)
  switch (action.type) {
    case 'link':
      return linkButton(title, consumerUri(action.uri))
    case 'webview':
      return {
        type: 'web_url',
        title,
        url: action.uri,
        webview_height_ratio: heightOf(action.size),
        // The platform's functions within the page; only over TLS.
        ...(action.uri.startsWith('https:') && { messenger_extensions: true as const }),
        ...(action.fallback !== undefined && { fallback_url: action.fallback }),
      }
    case 'reply':
    case 'postback':
      return { type: 'postback', title, payload: clickReference({ message, ...place }) }
    case 'locationRequest':
      return null
  }
}

export function quickReply(message: string, action: Action & { type: 'reply' }, place: ButtonPlace): QuickReply {
  return {
    content_type: 'text',
    title: shorten(action.text, TITLE_CHARS_MAX),
    payload: clickReference({ message, ...place }),
    ...(action.iconUrl !== undefined && { image_url: action.iconUrl }),
  }
}

function linkButton(title: string, uri: string): MessengerButton | null {
  const scheme = /^[a-z]+/i.exec(uri)?.[0].toLowerCase()
  if (scheme === 'tel') return { type: 'phone_number', title, payload: uri.slice('tel:'.length) }
  return scheme === 'mailto' ? null : { type: 'web_url', title, url: uri }
}

function heightOf(size: string | undefined): 'compact' | 'tall' | 'full' {
  return size === 'compact' || size === 'tall' ? size : 'full'
}
