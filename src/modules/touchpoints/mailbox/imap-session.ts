import { connect as connectTcp, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import {
  ImapFlow,
  type FetchMessageObject,
  type ImapTransport,
  type ImapTransportOptions,
  type MessageStructureObject,
} from 'imapflow'
import { connectPublic } from '../../../platform/outbound/public-addresses.js'
import { asMailboxFailure, MailboxFailure } from './mailbox-failure.js'
import type { MailboxSettings } from './mailbox-settings.js'
import { PRINT_HEADERS } from './mail-print.js'

export interface OpenSession {
  settings: Pick<MailboxSettings, 'imap' | 'user' | 'password'>
  /** Signs in in place of the password. */
  accessToken: string | undefined
  /** True if the server must have a public address. */
  isGuarded: boolean
  /** Ends the session. */
  signal: AbortSignal
}

/** A folder as the server shows it. */
export interface OpenFolder {
  uidValidity: number
  uidNext: number
}

/** The server's word on a mail, without the mail. */
export interface MailHead {
  uid: number
  /** Bytes of the mail. */
  size: number
  arrivedAt: Date | null
  /** Lines of {@link PRINT_HEADERS}. */
  head: Buffer
}

const CONNECT_MS_MAX = 15_000
/** A server that says nothing for so long, while it is asked something, is gone. */
const SILENCE_MS_MAX = 20_000
/** Bytes of one answer, which is held in memory. */
const LITERAL_BYTES_MAX = 16 * 1_048_576
const RESPONSE_BYTES_MAX = 32 * 1_048_576
/** Mails whose heads are asked for at once. */
const HEADS_MAX = 200

/** A connection to a mailbox, which only reads: folders are examined, not selected, and nothing is marked or moved. */
export class ImapSession {
  #failure: Error | null = null
  #news: (() => void) | null = null

  private constructor(private readonly client: ImapFlow) {
    client.on('error', (error) => (this.#failure ??= error))
    client.on('close', () => this.#news?.())
    client.on('exists', ({ count, prevCount }) => {
      if (count > prevCount) this.#news?.()
    })
  }

  /** @throws MailboxFailure */
  static async open({ settings, accessToken, isGuarded, signal }: OpenSession): Promise<ImapSession> {
    const { imap, user, password } = settings
    const client = new ImapFlow({
      host: imap.host,
      port: imap.port,
      secure: imap.security === 'tls',
      doSTARTTLS: imap.security === 'starttls',
      auth: accessToken === undefined ? { user, pass: password ?? '' } : { user, accessToken },
      transport: transportOf(isGuarded),
      logger: false,
      // It is begun at once when a folder is read, see `news`.
      disableAutoIdle: true,
      clientInfo: { name: 'Switchboard' },
      connectionTimeout: CONNECT_MS_MAX,
      greetingTimeout: CONNECT_MS_MAX,
      socketTimeout: SILENCE_MS_MAX,
      maxLiteralSize: LITERAL_BYTES_MAX,
      maxLineLength: RESPONSE_BYTES_MAX,
      maxResponseSize: RESPONSE_BYTES_MAX,
    })
    const session = new ImapSession(client)
    signal.addEventListener('abort', () => session.close(), { once: true })
    if (signal.aborted) session.close()
    await session.#asked(() => client.connect())
    return session
  }

  /** Paths of the folders that can be read, and the one for what was sent. */
  async folders(): Promise<{ paths: string[]; sent: string | null }> {
    const listed = await this.#asked(() => this.client.list())
    const usable = listed.filter(({ flags }) => !flags.has('\\Noselect'))
    return {
      paths: usable.map(({ path }) => path),
      sent: usable.find(({ specialUse }) => specialUse === '\\Sent')?.path ?? null,
    }
  }

  /** @throws MailboxFailure `FOLDER` when there is none of this name */
  async open(folder: string): Promise<OpenFolder> {
    const { uidValidity, uidNext } = await this.#asked(() => this.client.mailboxOpen(folder, { readOnly: true }))
    return { uidValidity: Number(uidValidity), uidNext }
  }

  /** Asks for the numbers of a folder, which need not be open. */
  async glance(folder: string): Promise<OpenFolder> {
    const found = await this.#asked(() => this.client.status(folder, { uidNext: true, uidValidity: true }))
    return { uidValidity: Number(found.uidValidity ?? 0), uidNext: found.uidNext ?? 0 }
  }

  /** Numbers from this one on, in order. */
  async uidsFrom(first: number): Promise<number[]> {
    const found = await this.#search({ uid: `${first}:*` })
    // `9:*` names the last mail in any case.
    return found.filter((uid) => uid >= first)
  }

  /** Numbers of mails that arrived at this day or later, by the server's calendar. */
  uidsSince(day: Date): Promise<number[]> {
    return this.#search({ since: day })
  }

  uidsOfMessageId(messageId: string): Promise<number[]> {
    return this.#search({ header: { 'message-id': messageId } })
  }

  async #search(query: NonNullable<Parameters<ImapFlow['search']>[0]>): Promise<number[]> {
    const found = await this.#asked(() => this.client.search(query, { uid: true }))
    // A refusal is no empty folder.
    if (!Array.isArray(found)) throw new MailboxFailure('SERVER', 'the server refuses to search')
    return found.toSorted((a, b) => a - b)
  }

  /** Those that are not in the folder are left out. */
  async heads(uids: readonly number[]): Promise<Map<number, MailHead>> {
    const heads = new Map<number, MailHead>()
    for (let at = 0; at < uids.length; at += HEADS_MAX) {
      const query = { uid: true, size: true, internalDate: true, headers: [...PRINT_HEADERS] }
      for (const found of await this.#fetch(uids.slice(at, at + HEADS_MAX), query)) {
        const { uid, size = 0, internalDate, headers } = found
        const arrivedAt = internalDate === undefined ? null : new Date(internalDate)
        heads.set(uid, { uid, size, arrivedAt, head: headers ?? Buffer.alloc(0) })
      }
    }
    return heads
  }

  /** Times of arrival. */
  async arrivals(uids: readonly number[]): Promise<Map<number, Date>> {
    const found = await this.#fetch(uids, { uid: true, internalDate: true })
    return new Map(
      found.flatMap(({ uid, internalDate: at }) => (at === undefined ? [] : [[uid, new Date(at)] as const])),
    )
  }

  /** Whole mails. */
  async mails(uids: readonly number[]): Promise<Map<number, Buffer>> {
    const found = await this.#fetch(uids, { uid: true, source: true })
    return new Map(found.flatMap(({ uid, source }) => (source ? [[uid, source] as const] : [])))
  }

  /** The head of a mail and what it consists of. */
  async structure(uid: number): Promise<{ head: Buffer; structure: MessageStructureObject } | null> {
    const [found] = await this.#fetch([uid], { uid: true, headers: true, bodyStructure: true })
    const { headers: head, bodyStructure: structure } = found ?? {}
    return head && structure ? { head, structure } : null
  }

  /** Parts as they are in the mail, each with its own header lines. @param bytesMax of each; the rest is cut off */
  async parts(uid: number, names: readonly string[], bytesMax: number): Promise<{ head: Buffer; body: Buffer }[]> {
    const bodyParts = names.flatMap((name) => [`${name}.mime`, { key: name, start: 0, maxLength: bytesMax }])
    const [found] = await this.#fetch([uid], { uid: true, bodyParts })
    const partOf = (name: string): Buffer => found?.bodyParts?.get(name.toLowerCase()) ?? Buffer.alloc(0)
    return names.map((name) => ({ head: partOf(`${name}.mime`), body: partOf(name) }))
  }

  /** The decoded content of a part, or the whole mail, fetched while it is read: nothing else may be asked meanwhile. */
  async content(uid: number, part?: string): Promise<Readable> {
    const found = await this.#asked(() => this.client.download(String(uid), part, { uid: true, decodeText: false }))
    if (found.content) return found.content
    throw new MailboxFailure('SERVER', 'the server gives no content of a mail')
  }

  /** Files a mail. */
  async append(folder: string, mail: Buffer, at: Date): Promise<void> {
    await this.#asked(() => this.client.append(folder, mail, ['\\Seen'], at))
  }

  /** Waits until the open folder has something new, or for this long. @throws MailboxFailure when the connection ends */
  async news(ms: number, signal: AbortSignal): Promise<void> {
    const woken = Promise.withResolvers<void>()
    this.#news = woken.resolve
    const timer = setTimeout(woken.resolve, ms)
    signal.addEventListener('abort', () => woken.resolve(), { once: true })
    if (!this.client.idling) this.client.idle().catch(() => undefined)
    await woken.promise
    clearTimeout(timer)
    this.#news = null
    if (!this.client.usable && !signal.aborted) throw this.#ended()
  }

  close(): void {
    this.client.close()
  }

  async #fetch(uids: readonly number[], query: Parameters<ImapFlow['fetchAll']>[1]): Promise<FetchMessageObject[]> {
    if (uids.length === 0) return []
    const wanted = new Set(uids)
    const found = await this.#asked(() => this.client.fetchAll(rangesOf(uids), query, { uid: true }))
    // A server may tell of others at any time.
    return found.filter(({ uid }) => wanted.has(uid))
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T extends false | undefined ? never : Exclude<T, false | undefined>> {
    try {
      const answer = await ask()
      if (answer === false || (answer === undefined && !this.client.usable)) throw this.#ended()
      return answer as never
    } catch (error) {
      throw asMailboxFailure(this.#failure ?? error)
    }
  }

  #ended(): MailboxFailure {
    const said = this.#failure ?? new Error(this.client.byeReason ?? 'the server ended the connection')
    return asMailboxFailure(said)
  }
}

/** `1:3,7` for 1, 2, 3 and 7, in order. */
export function rangesOf(uids: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const uid of uids.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && uid <= last[1] + 1) last[1] = uid
    else ranges.push([uid, uid])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}:${last}`)).join(',')
}

/** Opens connections by ourselves, since names must not lead to private addresses, whatever they led to before. */
function transportOf(isGuarded: boolean): ImapTransport {
  const secured = (
    socket: Socket,
    { host, servername, tls }: ImapTransportOptions,
    onSecure: () => void,
  ): ReturnType<typeof connectTls> => {
    const options: ConnectionOptions = { ...tls, socket, host, ...(servername && { servername }) }
    const made = connectTls(options, onSecure)
    // Before the handshake the error of the connection is the only one.
    socket.on('error', (error) => made.destroy(error))
    return made
  }
  return {
    connect(options, onConnect) {
      const { host, port, secure } = options
      const socket = isGuarded ? connectPublic({ host, port }) : connectTcp({ host, port })
      if (secure) return secured(socket, options, onConnect)
      socket.once('connect', onConnect)
      return socket
    },
    upgrade: (socket, options, onSecure) => secured(socket as Socket, options, onSecure),
  }
}
