import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { MailFate } from '../email/mail-fate.js'

/** A numbering of a folder's mails. */
export interface Epoch {
  id: string
  folder: string
  uidValidity: number
  uidNext: number
  /** The last number when it began. */
  firstUid: number
  /** Numbers up to it are in the ledger. */
  lastUid: number
  beganAt: Date
}

export type EpochCause = 'first' | 'uidvalidity' | 'uidnext' | 'print'

export type EntryState = MailFate['state'] | 'listed' | 'tooLarge' | 'gone'

/** A mail that is to be read. */
export interface PendingEntry {
  id: string
  uid: number
  tries: number
  listedAt: Date
  /** True where the last attempt ended with an error that was recorded. */
  hasFailed: boolean
  /** Time at which an administrator asked to read it again. */
  askedAt: Date | null
  /** True if a message was made of it before that. */
  hasMessage: boolean
  /** Time at which the numbering began that it is of. */
  beganAt: Date
}

/** Somebody else has dealt with the mail, or its service is gone: nothing must be written. */
export class EntryTaken extends Error {
  constructor() {
    super('the mail was dealt with by somebody else')
  }
}

const EPOCH = `id, folder, uidvalidity::float8 as "uidValidity", uidnext::float8 as "uidNext",
  first_uid::float8 as "firstUid", last_uid::float8 as "lastUid", began_at as "beganAt"`
/** SQL: one that is read again was dealt with before. */
const IS_DEALT_WITH = "(state not in ('listed', 'gone') or asked_of is not null)"
const GONE_MS = 24 * 3_600_000
const REASON_CHARS_MAX = 500
/** Mail servers name whom they refuse: the ledger outlives what is known of people. */
const ADDRESSES = /[^\s<>"'(),:;[\]]+@[^\s<>"'(),:;[\]]+/g

/** The record of what became of each mail of a mailbox; every mail that its server numbers is an entry before it is read. */
export class Ledger {
  constructor(
    private readonly options: {
      database: Sql & { sqlTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> }
      clock: Clock
      service: string
    },
  ) {}

  async epochs(): Promise<Epoch[]> {
    const { database, service } = this.options
    return database.query<Epoch>(
      `select ${EPOCH} from mailbox_epoch where service_id = $1 and ended_at is null`,
      [service],
      'mailbox-epochs',
    )
  }

  /**
   * Begins a numbering with the mails that are there, and ends the one before it, in one transaction.
   * @param uids in order
   */
  begin(
    { folder, uidValidity, uidNext, why }: Pick<Epoch, 'folder' | 'uidValidity' | 'uidNext'> & { why: EpochCause },
    uids: readonly number[],
  ): Promise<Epoch> {
    const { clock, database, service } = this.options
    return database.sqlTransaction(async (sql) => {
      await this.#end(sql, [folder], 'the folder was numbered anew before it was read')
      // What comes meanwhile is listed next.
      const last = Math.max(0, uidNext > 0 ? uidNext - 1 : (uids.at(-1) ?? 0))
      const [epoch] = await sql.query<Epoch>(
        `insert into mailbox_epoch (id, service_id, folder, uidvalidity, uidnext, first_uid, last_uid, why, began_at)
         values ($1, $2, $3, $4, $5, $6, $6, $7, $8) returning ${EPOCH}`,
        [clock.newId(), service, folder, uidValidity, Math.max(uidNext, last + 1), last, why, clock.now()],
        'begin-epoch',
      )
      await this.#add(
        sql,
        epoch!.id,
        uids.filter((uid) => uid <= last),
      )
      return epoch!
    })
  }

  /** Ends the numberings of folders that are no longer read. */
  async keepOnly(folders: readonly string[]): Promise<void> {
    const others = (await this.epochs()).filter(({ folder }) => !folders.includes(folder))
    if (others.length === 0) return
    const names = others.map(({ folder }) => folder)
    await this.options.database.sqlTransaction((sql) => this.#end(sql, names, 'the folder is no longer read'))
  }

  async #end(sql: Sql, folders: readonly string[], reason: string): Promise<void> {
    const { clock, service } = this.options
    await sql.query(
      `with ended as (
         update mailbox_epoch set ended_at = $3 where service_id = $1 and folder = any($2::text[]) and ended_at is null
         returning id
       )
       update mailbox_entry set state = coalesce(asked_of, 'gone'), reason = $4, settled_at = $3, retry_at = null, asked_at = null,
         asked_of = null
       where epoch_id in (select id from ended) and state = 'listed'`,
      [service, folders, clock.now(), reason],
    )
  }

  /**
   * Adds mails that have come, and notes how far the numbers go. Those that are there already stay as they are.
   * @param uids in order
   */
  async list(epoch: Epoch, uids: readonly number[], uidNext: number): Promise<void> {
    const last = Math.max(epoch.lastUid, uids.at(-1) ?? 0)
    if (uids.length === 0 && uidNext <= epoch.uidNext) return
    await this.options.database.sqlTransaction(async (sql) => {
      await this.#add(sql, epoch.id, uids)
      await sql.query(
        `update mailbox_epoch set last_uid = greatest(last_uid, $2), uidnext = greatest(uidnext, $3) where id = $1`,
        [epoch.id, last, Math.max(uidNext, last + 1)],
        'extend-epoch',
      )
    })
    epoch.lastUid = last
    epoch.uidNext = Math.max(epoch.uidNext, uidNext, last + 1)
  }

  async #add(sql: Sql, epoch: string, uids: readonly number[]): Promise<void> {
    if (uids.length === 0) return
    const { clock, service } = this.options
    await sql.query(
      `insert into mailbox_entry (id, epoch_id, service_id, uid, listed_at)
       select x.id, $1, $2, x.uid, $3 from unnest($4::uuid[], $5::bigint[]) as x(id, uid) on conflict do nothing`,
      [epoch, service, clock.now(), uids.map(() => clock.newId()), uids],
      'list-mails',
    )
  }

  /** Takes the next mails to be read, and counts the attempt: a mail that ends its process each time is noticed. */
  async take(epoch: Epoch, limit: number): Promise<PendingEntry[]> {
    const { clock, database } = this.options
    const rows = await database.query<Omit<PendingEntry, 'beganAt'>>(
      `update mailbox_entry set tries = tries + 1 where id in (
         select id from mailbox_entry where epoch_id = $1 and state = 'listed' and (retry_at is null or retry_at <= $2)
         order by uid limit $3)
       returning id, uid::float8 as uid, tries, listed_at as "listedAt", reason is not null as "hasFailed",
         asked_at as "askedAt", message_id is not null as "hasMessage"`,
      [epoch.id, clock.now(), limit],
      'take-mails',
    )
    return rows.map((row) => ({ ...row, beganAt: epoch.beganAt })).toSorted((a, b) => a.uid - b.uid)
  }

  /** Tells whether a mail is to be read now. */
  async hasDue(epoch: Epoch): Promise<boolean> {
    const { clock, database } = this.options
    const rows = await database.query(
      `select 1 from mailbox_entry where epoch_id = $1 and state = 'listed' and (retry_at is null or retry_at <= $2) limit 1`,
      [epoch.id, clock.now()],
      'due-mails',
    )
    return rows.length > 0
  }

  /** Returns the prints of the last mails of a numbering, by number. */
  async lastPrints(epoch: Epoch, count: number): Promise<Map<number, Buffer>> {
    const rows = await this.options.database.query<{ uid: number; print: Buffer }>(
      `select uid::float8 as uid, print from mailbox_entry where epoch_id = $1 and print is not null
       order by uid desc limit $2`,
      [epoch.id, count],
      'last-prints',
    )
    return new Map(rows.map(({ uid, print }) => [uid, print]))
  }

  /** Returns those of the prints that a mail has which was dealt with, in whatever folder or numbering. */
  async knownPrints(prints: readonly Buffer[]): Promise<ReadonlySet<string>> {
    if (prints.length === 0) return new Set()
    const { database, service } = this.options
    const rows = await database.query<{ print: Buffer }>(
      `select distinct print from mailbox_entry where service_id = $1 and print = any($2::bytea[])
         and ${IS_DEALT_WITH}`,
      [service, prints],
      'known-prints',
    )
    return new Set(rows.map(({ print }) => print.toString('hex')))
  }

  async knowsIdentity(identities: readonly Buffer[]): Promise<boolean> {
    const { database, service } = this.options
    const rows = await database.query(
      `select 1 from mailbox_entry where service_id = $1 and identity = any($2::bytea[])
         and ${IS_DEALT_WITH} limit 1`,
      [service, identities],
      'known-identity',
    )
    return rows.length > 0
  }

  /**
   * Records what became of a mail; a message that was made of it before stays its own.
   * @throws EntryTaken unless it was to be read
   */
  async settle(
    sql: Sql,
    entry: Pick<PendingEntry, 'id'>,
    fate: {
      state: EntryState
      reason: string | null
      message: string | null
      print: Buffer | null
      identity: Buffer | null
    },
  ): Promise<void> {
    const { state, reason, message, print, identity } = fate
    const rows = await sql.query(
      `update mailbox_entry set state = $2, reason = $3, message_id = coalesce($4, message_id), print = coalesce($5, print),
         identity = coalesce($6, identity), settled_at = $7, retry_at = null, missing_since = null, asked_at = null,
         asked_of = null
       where id = $1 and state = 'listed' returning 1`,
      [entry.id, state, reason === null ? null : shown(reason), message, print, identity, this.options.clock.now()],
      'settle-mail',
    )
    if (rows.length === 0) throw new EntryTaken()
  }

  /** Has a mail read again later, because of something that is not its fault. */
  async putOff(entry: Pick<PendingEntry, 'id'>, reason: string, delayMs: number): Promise<void> {
    const { clock, database } = this.options
    await database.query(
      `update mailbox_entry set retry_at = $2, reason = $3 where id = $1 and state = 'listed'`,
      [entry.id, new Date(clock.now().getTime() + delayMs), shown(reason)],
      'put-mail-off',
    )
  }

  /** Notes which of the mails to be read are not in the folder; one that is not there for a day is gone. */
  async noteMissing(epoch: Epoch, there: readonly number[]): Promise<void> {
    const { clock, database } = this.options
    const now = clock.now()
    await database.query(
      `update mailbox_entry e set
         missing_since = case when t.uid is null then coalesce(e.missing_since, $3) end,
         state = case when t.uid is null and e.missing_since <= $4 then coalesce(e.asked_of, 'gone') else e.state end,
         settled_at = case when t.uid is null and e.missing_since <= $4 then $3 end,
         reason = case when t.uid is null and e.missing_since <= $4 then 'it was not in the folder for a day' else e.reason end,
         asked_at = case when t.uid is not null or e.missing_since is null or e.missing_since > $4 then e.asked_at end,
         asked_of = case when t.uid is not null or e.missing_since is null or e.missing_since > $4 then e.asked_of end
       from mailbox_entry l left join unnest($2::bigint[]) as t(uid) on t.uid = l.uid
       where l.epoch_id = $1 and l.state = 'listed' and e.id = l.id
         and (t.uid is null or e.missing_since is not null)`,
      [epoch.id, there, now, new Date(now.getTime() - GONE_MS)],
      'missing-mails',
    )
  }

  /** All numbers of a numbering that are in the ledger. */
  async uids(epoch: Epoch): Promise<Set<number>> {
    const rows = await this.options.database.query<{ uids: number[] | null }>(
      'select array_agg(uid::float8) as uids from mailbox_entry where epoch_id = $1',
      [epoch.id],
      'uids-of-epoch',
    )
    return new Set(rows[0]!.uids ?? [])
  }
}

const shown = (reason: string): string => reason.replace(ADDRESSES, '…').slice(0, REASON_CHARS_MAX)
