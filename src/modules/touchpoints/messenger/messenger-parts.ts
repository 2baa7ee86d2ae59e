import type { RouteFormats } from '../../services/service-kinds.js'
import type { LinkButton } from '../hub-buttons.js'
import { hubParts, QUICK_REPLIES_MAX, type FileLink, type HubForms, type HubPart } from '../hub-parts.js'
import { consumerUri, type Spoken } from '../plain-text.js'
import { IN_UNITS } from '../split-text.js'

const TEXT_CHARS_MAX = 2_000
const TEMPLATE_CHARS_MAX = 640
export const MESSENGER_FORMATS: RouteFormats = {
  textCharsMax: TEXT_CHARS_MAX,
  splitsText: true,
  html: false,
  buttonsMax: QUICK_REPLIES_MAX,
  fileBytesMax: null,
}

/** Web views have the platform's functions within the page, and addresses to call are buttons. */
const linkButton: LinkButton = (action, title) => {
  if (action.type === 'link') {
    const uri = consumerUri(action.uri)
    const scheme = /^[a-z]+/i.exec(uri)?.[0].toLowerCase()
    if (scheme === 'tel') return { type: 'phone_number', title, payload: uri.slice('tel:'.length) }
    return scheme === 'mailto' ? null : { type: 'web_url', title, url: uri }
  }
  return {
    type: 'web_url',
    title,
    url: action.uri,
    webview_height_ratio: heightOf(action.size),
    // Only over TLS.
    ...(action.uri.startsWith('https:') && { messenger_extensions: true as const }),
    ...(action.fallback !== undefined && { fallback_url: action.fallback }),
  }
}

const FORMS: HubForms = {
  measure: IN_UNITS,
  textMax: TEXT_CHARS_MAX,
  templateTextMax: TEMPLATE_CHARS_MAX,
  linkButton,
  quickReplyPictures: true,
  quickRepliesBelowAll: true,
  fileOf: ({ fileType }) => (fileType.startsWith('image/') ? 'image' : 'file'),
}

/** Converts a message to what the platform can show (2.10), as calls to be made in order; see {@link hubParts}. */
export function messengerParts(id: string, message: Spoken, attachment: FileLink | null): HubPart[] {
  return hubParts(FORMS, { id, message, attachment })
}

function heightOf(size: string | undefined): 'compact' | 'tall' | 'full' {
  return size === 'compact' || size === 'tall' ? size : 'full'
}
