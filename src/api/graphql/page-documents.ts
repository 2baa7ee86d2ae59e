import { LRUCache } from 'lru-cache'
import { NotFound } from '../../platform/errors.js'
import type { Sql } from '../../platform/db/database.js'

/** A comment alone: no document of anybody else. Written by `web/page-documents.mjs`. */
const REFERENCE = /^#(\w{1,100}\.[\w-]{12})$/
/** Pages of a release stay open for weeks after it is gone, and not for longer than this. */
const KEPT_DAYS = 365
const OTHERS_MAX = 1_000

/**
 * The documents of the console and the web widget, which send the id of a document in place of its text: `#Thread.kX3…`.
 * Each node has those of its own pages, and stores them for the nodes of other releases, whose pages are still open or already are.
 */
export class PageDocuments {
  readonly #others = new LRUCache<string, string>({ max: OTHERS_MAX })

  /** @param own texts by id */
  constructor(
    private readonly own: ReadonlyMap<string, string>,
    private readonly sql: Sql,
  ) {}

  /** Stores those of this node's pages, and forgets those that no node has had for long. */
  async register(): Promise<void> {
    await this.sql.query(STORE, [[...this.own.keys()], [...this.own.values()]], 'store-page-documents')
    await this.sql.query(FORGET, [], 'forget-page-documents')
  }

  /** Returns the text of what is sent as a document. @throws NotFound for an id that no node has had */
  textOf(source: string): string | Promise<string> {
    const id = source.startsWith('#') ? REFERENCE.exec(source)?.[1] : undefined
    if (id === undefined) return source
    return this.own.get(id) ?? this.#others.get(id) ?? this.#find(id)
  }

  async #find(id: string): Promise<string> {
    const [found] = await this.sql.query<{ text: string }>(FIND, [id], 'find-page-document')
    if (!found) throw new NotFound(`there is no document ${id}: load the page again, or send the text of the document`)
    this.#others.set(id, found.text)
    return found.text
  }
}

const STORE = `
insert into page_document (id, text, seen_at) select id, text, now() from unnest($1::text[], $2::text[]) as own (id, text)
order by id
on conflict (id) do update set seen_at = excluded.seen_at where page_document.seen_at < now() - interval '1 day'`

const FORGET = `delete from page_document where seen_at < now() - interval '${KEPT_DAYS} days'`

const FIND = `select text from page_document where id = $1`
