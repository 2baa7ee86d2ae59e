import { readFile } from 'node:fs/promises'
import { parseLines, type ErasureLine } from '../../modules/privacy/erasure-lines.js'
import { connect } from './source.js'

const SLICE = 1_000

/** Reads a list of erasures that was kept elsewhere. @throws Error naming the file and the line that is none */
export async function readErasures(file: string): Promise<ErasureLine[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Error(`${error.message}: nothing was changed`)
  })
  try {
    return parseLines(text)
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}: nothing was changed`, { cause: error })
  }
}

/**
 * Has the server erase, when it starts, those contacts of the list that the restored database has. What a hold blocked stays so.
 * @returns how many
 */
export async function requestErasures(url: string, lines: readonly ErasureLine[]): Promise<number> {
  if (lines.length === 0) return 0
  const client = await connect(url)
  try {
    let requested = 0
    for (let from = 0; from < lines.length; from += SLICE) {
      const slice = JSON.stringify(lines.slice(from, from + SLICE))
      requested += (await client.query(REQUEST, [slice])).rowCount ?? 0
    }
    return requested
  } finally {
    await client.end()
  }
}

/**
 * One that the backup has under way goes on by its job, and has its record. One that was blocked, and went on later, has a line of
 * each: the later counts.
 */
const REQUEST = `
insert into erasure (id, organization_id, org1, org2, org3, created_at, updated_at, contact_id, reason, status)
select distinct on (c.id) x.erasure, c.organization_id, c.org1, c.org2, c.org3, x.at, now(), c.id, x.reason,
  case when x.blocked then 'blocked' else 'requested' end
from jsonb_to_recordset($1::jsonb) as x(erasure uuid, contact uuid, reason text, at timestamptz, blocked boolean)
join contact c on c.id = x.contact and c.erasing_at is null
order by c.id, coalesce(x.blocked, false), x.at
on conflict (id) do update set status = excluded.status
  where erasure.status = 'blocked' and excluded.status = 'requested'`
