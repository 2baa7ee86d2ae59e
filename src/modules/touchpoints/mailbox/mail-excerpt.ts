import { Readable } from 'node:stream'
import type { MessageStructureObject } from 'imapflow'
import type { InboundAttachment, RefusedFile } from '../inbound-files.js'
import type { Excerpt } from '../email/mail-receiver.js'
import type { ImapSession } from './imap-session.js'

/** Bytes of each text; a message holds less. */
const TEXT_BYTES_MAX = 1_048_576
const FILES_MAX = 20
/** Parts that are looked at: more are no letter. */
const PARTS_MAX = 1_000
const BOUNDARY = 'switchboard-excerpt'
/** Header lines about the body, which the excerpt has otherwise. */
const OF_BODY = /^(?:content-[a-z-]+|mime-version):/i

/** A large mail without what makes it large. */
export interface ReadExcerpt extends Excerpt {
  /** Its head with its texts, as a mail. */
  bytes: Buffer
}

/**
 * Reads a mail by its parts: its texts at once, and its files one after the other while they are stored.
 * @param whyNotFetched set if its files are too much
 * @returns null for a mail that is gone
 */
export async function readExcerpt(
  session: ImapSession,
  uid: number,
  whyNotFetched: string | null,
): Promise<ReadExcerpt | null> {
  const found = await session.structure(uid)
  if (!found) return null
  const leaves = leavesOf(found.structure)
  const texts = ['text/plain', 'text/html'].flatMap((type) => leaves.find((leaf) => isText(leaf, type)) ?? [])
  const others = leaves.filter(
    (leaf) => !texts.includes(leaf) && !isText(leaf, 'text/plain') && !isText(leaf, 'text/html'),
  )
  const parts = await session.parts(
    uid,
    texts.map(({ part }) => part ?? '1'),
    TEXT_BYTES_MAX,
  )
  const whole = found.structure.childNodes === undefined
  return {
    bytes: joined(found.head, whole ? parts.map(({ body }) => ({ head: headOfLeaf(leaves[0]!), body })) : parts),
    distinction: JSON.stringify(leaves.map(({ type, size }) => [type, size])),
    files: whyNotFetched === null ? others.slice(0, FILES_MAX).map((leaf) => fileOf(session, uid, leaf)) : [],
    notFetched: notFetched(others, whyNotFetched),
  }
}

function notFetched(others: readonly MessageStructureObject[], why: string | null): RefusedFile[] {
  const [left, reason] =
    why === null ? [others.slice(FILES_MAX), `more than ${FILES_MAX} files came with the message`] : [others, why]
  return left.slice(0, FILES_MAX).map((leaf) => ({ fileName: nameOf(leaf), reason }))
}

function leavesOf(root: MessageStructureObject): MessageStructureObject[] {
  const leaves: MessageStructureObject[] = []
  const open = [root]
  for (let node = open.shift(); node && leaves.length < PARTS_MAX; node = open.shift()) {
    // A mail within the mail was written by somebody else: it is a file.
    if (node.childNodes?.length && node.type !== 'message/rfc822') open.unshift(...node.childNodes)
    else leaves.push(node)
  }
  return leaves
}

const isText = ({ type, disposition }: MessageStructureObject, wanted: string): boolean =>
  type === wanted && disposition !== 'attachment'

function nameOf({ dispositionParameters, parameters, part }: MessageStructureObject): string {
  return dispositionParameters?.filename ?? parameters?.name ?? `attachment-${part ?? '1'}`
}

/** The content is asked for when it is read. */
function fileOf(session: ImapSession, uid: number, leaf: MessageStructureObject): InboundAttachment {
  const content = Readable.from(
    (async function* () {
      yield* await session.content(uid, leaf.part ?? '1')
    })(),
    { objectMode: false },
  )
  return { fileName: nameOf(leaf), content }
}

/** Header lines of a body that has no parts: they are the mail's own. */
function headOfLeaf({ type, parameters, encoding }: MessageStructureObject): Buffer {
  const charset = parameters?.charset?.replace(/[^\w.:-]/g, '')
  const kind = type.replace(/[^\w./+-]/g, '')
  const lines = [
    `Content-Type: ${kind}${charset ? `; charset=${charset}` : ''}`,
    ...(encoding ? [`Content-Transfer-Encoding: ${encoding.replace(/[^\w-]/g, '')}`] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
}

function joined(head: Buffer, parts: readonly { head: Buffer; body: Buffer }[]): Buffer {
  const own = head
    .toString('latin1')
    .replace(/\r?\n$/, '')
    .split(/\r?\n(?![ \t])/)
    .filter((line) => line !== '' && !OF_BODY.test(line))
  const lines = [...own, 'MIME-Version: 1.0', `Content-Type: multipart/alternative; boundary=${BOUNDARY}`, '', '']
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${BOUNDARY}\r\n`),
    ended(part.head),
    part.body,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), ...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** Ends header lines with an empty one, where the server does not. */
function ended(head: Buffer): Buffer {
  const text = head.toString('latin1').replace(/(?:\r?\n)*$/, '')
  return Buffer.from(`${text}\r\n\r\n`, 'latin1')
}
