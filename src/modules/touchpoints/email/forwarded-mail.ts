import { escapeHtml } from '../../../platform/content/escape-html.js'
import { sanitiseHtml } from '../../../platform/content/sanitise-html.js'
import type { ForwardedMessage, NamedAddress, OutgoingMessage } from '../adapter.js'
import { ATTACHED_BYTES_MAX } from './mail-formats.js'
import { mailBody, paragraphs, type MailBody } from './mail-body.js'

type File = ForwardedMessage['files'][number]

export interface ForwardedContent extends MailBody {
  subject: string
  /** The files that the mail carries; others are linked. */
  attached: File[]
}

const SUBJECT_CHARS_MAX = 150
const FORWARDED = '---------- Forwarded message ----------'
const FORWARD = /^\s*(?:fwd?|wg|tr|doorst|rv|enc|vs)\s*:/i

/** Returns the content of a mail that forwards a message: the words of who forwards it, then its head and text as its readers know them. */
export function forwardedContent(
  { message: note }: Pick<OutgoingMessage, 'message'>,
  forwarded: ForwardedMessage,
  subject: string | null,
): ForwardedContent {
  const { files, message } = forwarded
  const head = headOf(forwarded, subject)
  const said = mailBody({ message, attachment: null }, { attachmentUrl: null, context: null })
  const attached = fitting(files)
  const linked = files.filter((file) => !attached.includes(file))
  const lines = head.map(([name, value]) => `${name}: ${value}`)
  const links = linked.map(({ fileName, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(fileName)}</a></p>`)
  const fields = head.map(([name, value]) => `<br><b>${name}:</b> ${escapeHtml(value)}`)
  return {
    subject: subjectOf(forwarded, subject),
    attached,
    text: [
      note.text,
      [FORWARDED, ...lines].join('\n'),
      said.text,
      linked.map(({ fileName, url }) => `${fileName}: ${url}`).join('\n'),
    ]
      .filter(Boolean)
      .join('\n\n'),
    html: sanitiseHtml(
      [note.text === null ? '' : paragraphs(note.text), `<p>${FORWARDED}${fields.join('')}</p>`, said.html, ...links]
        .filter(Boolean)
        .join('\n'),
    ),
  }
}

function headOf(forwarded: ForwardedMessage, subject: string | null): [name: string, value: string][] {
  const { message, from, to, cc } = forwarded
  const listed = (all: readonly NamedAddress[]): string => all.map(inWords).filter(Boolean).join(', ')
  const fields: [string, string][] = [
    ['From', inWords(from)],
    ['Date', message.createdAt.toUTCString().replace(/GMT$/, 'UTC')],
    ['Subject', forwarded.subject ?? subject ?? ''],
    ['To', listed(to)],
    ['Cc', listed(cc)],
  ]
  // A line is a field: what people wrote makes no further ones.
  return fields.map(([name, value]): [string, string] => [name, inOneLine(value)]).filter(([, value]) => value !== '')
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const inWords = ({ name, address }: NamedAddress): string =>
  name !== '' && address !== '' ? `${name} <${address}>` : name || address

function subjectOf({ subject, from }: ForwardedMessage, ofThread: string | null): string {
  const known = subject ?? ofThread
  const words = inOneLine(known ?? (from.name ? `Message from ${from.name}` : 'Message')).slice(0, SUBJECT_CHARS_MAX)
  return FORWARD.test(words) ? words : `Fwd: ${words}`
}

/** Returns the files that a mail carries together, in their order. */
function fitting(files: readonly File[]): File[] {
  let left = ATTACHED_BYTES_MAX
  return files.filter(({ size }) => {
    if (size > left) return false
    left -= size
    return true
  })
}
