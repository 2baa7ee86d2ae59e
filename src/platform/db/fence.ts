/** The fence of a database whose contents are moved elsewhere, see `app/backup/fence.ts`. */
export interface Fence {
  /** The database that takes its place, without a password. */
  target: string
  since: Date
}

/** Reads the fence within another statement; null without one. */
export const FENCE = `(select to_jsonb(f) from fence f)`

/** The contents of the database are moved: nothing may be written to it any more. */
export class Fenced extends Error {
  constructor({ target, since }: { target: string; since: Date | string }) {
    super(
      `the contents of this database were moved to ${target} (move begun at ${new Date(since).toISOString()}): ` +
        'set DATABASE_URL to that database, or, if the move was given up, run `npm run move -- --unfence`',
    )
  }
}

type Query = (text: string) => Promise<readonly unknown[]>

/** @throws Fenced when the database has a fence; one without a schema has none */
export async function requireUnfenced(query: Query): Promise<void> {
  const [table] = (await query(`select to_regclass('public.fence') is not null as exists`)) as { exists: boolean }[]
  if (!table!.exists) return
  const [found] = (await query('select target, since from fence')) as Fence[]
  if (found) throw new Fenced(found)
}
