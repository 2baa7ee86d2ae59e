import type { RouteFormats } from '../../services/service-kinds.js'
import { pageButton } from '../hub-buttons.js'
import { hubParts, QUICK_REPLIES_MAX, type FileLink, type HubForms, type HubPart } from '../hub-parts.js'
import type { Spoken } from '../plain-text.js'
import { IN_BYTES } from '../split-text.js'

const TEXT_BYTES_MAX = 1_000
const TEMPLATE_BYTES_MAX = 640
const MEGABYTE = 1_048_576
const MEDIA_BYTES_MAX = 25 * MEGABYTE
/** Files that the platform shows, and up to which size; anything else is an address. */
const MEDIA: readonly [type: 'image' | 'video' | 'audio', fileTypes: RegExp, bytesMax: number][] = [
  ['image', /^image\/(?:jpeg|png|gif)$/, 8 * MEGABYTE],
  ['video', /^video\/(?:mp4|ogg|x-msvideo|quicktime|webm)$/, MEDIA_BYTES_MAX],
  ['audio', /^audio\/(?:aac|mp4|x-m4a|wav|x-wav)$/, MEDIA_BYTES_MAX],
]
export const INSTAGRAM_FORMATS: RouteFormats = {
  textCharsMax: TEXT_BYTES_MAX,
  splitsText: true,
  html: false,
  buttonsMax: QUICK_REPLIES_MAX,
  fileBytesMax: MEDIA_BYTES_MAX,
}

const FORMS: HubForms = {
  measure: IN_BYTES,
  textMax: TEXT_BYTES_MAX,
  templateTextMax: TEMPLATE_BYTES_MAX,
  linkButton: pageButton,
  quickReplyPictures: false,
  quickRepliesBelowAll: false,
  fileOf: ({ fileType, size = 0 }) =>
    MEDIA.find(([, types, bytesMax]) => types.test(fileType) && size <= bytesMax)?.[0] ?? null,
}

/** Converts a message to what the platform can show (2.10), as calls to be made in order; see {@link hubParts}. */
export function instagramParts(id: string, message: Spoken, attachment: FileLink | null): HubPart[] {
  return hubParts(FORMS, { id, message, attachment })
}

/** Tells whether a part counts to the platform's lower pace. */
export const isFilm = ({ attachment }: HubPart): boolean => attachment?.type === 'video' || attachment?.type === 'audio'
