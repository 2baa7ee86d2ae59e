import type { RouteFormats } from '../../services/service-kinds.js'

/** Larger files are sent as links: many mailboxes accept at most 10 MiB, and encoding adds a third. */
export const ATTACHED_BYTES_MAX = 5 * 1_048_576

export const MAIL_FORMATS: RouteFormats = {
  textCharsMax: null,
  splitsText: false,
  html: true,
  buttonsMax: 0,
  fileBytesMax: ATTACHED_BYTES_MAX,
}
