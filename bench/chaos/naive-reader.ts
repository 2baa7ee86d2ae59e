import pg from 'pg'
import { sleep } from './victim.js'

const POLL_MS = 20
const TABLE = `
create table naive_event (id bigserial primary key, stream text not null, number bigint not null);
create function note_naive_event() returns trigger language plpgsql as
  $$ begin insert into naive_event (stream, number) values (new.stream, new.number); return new; end $$;
create trigger naive after insert on event for each row execute function note_naive_event();`

/**
 * The control: the same events in a table with ids from a sequence, read as one is tempted to, `id > last`. Ids are taken
 * before the commit and seen after it, so that it misses some; a harness that finds none missing finds nothing.
 */
export class NaiveReader {
  readonly #read = new Set<string>()
  #last = '0'
  #isOver = false
  #reading: Promise<void> = Promise.resolve()

  private constructor(private readonly url: string) {}

  static async start(url: string): Promise<NaiveReader> {
    const reader = new NaiveReader(url)
    await reader.#with(async (sql) => void (await sql.query(TABLE)))
    reader.#reading = reader.#run()
    return reader
  }

  /** @returns how many of the events it has missed */
  async finish(): Promise<{ events: number; missed: number }> {
    // What is there now is read in the last turn.
    await sleep(POLL_MS * 5)
    this.#isOver = true
    await this.#reading
    let ids: string[] = []
    await this.#with(async (sql) => {
      ids = (await sql.query<{ id: string }>('select id from naive_event')).rows.map(({ id }) => id)
    })
    return { events: ids.length, missed: ids.filter((id) => !this.#read.has(id)).length }
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      // PostgreSQL is restarted meanwhile; a reader comes back to where it was.
      await this.#with((sql) => this.#poll(sql)).catch(() => sleep(POLL_MS))
    }
  }

  async #poll(sql: pg.Client): Promise<void> {
    while (!this.#isOver) {
      const { rows } = await sql.query<{ id: string }>('select id from naive_event where id > $1 order by id', [
        this.#last,
      ])
      for (const { id } of rows) this.#read.add(id)
      this.#last = rows.at(-1)?.id ?? this.#last
      await sleep(POLL_MS)
    }
  }

  async #with(work: (sql: pg.Client) => Promise<void>): Promise<void> {
    const sql = new pg.Client({ connectionString: this.url })
    sql.on('error', () => undefined)
    try {
      await sql.connect()
      await work(sql)
    } finally {
      await sql.end().catch(() => undefined)
    }
  }
}
