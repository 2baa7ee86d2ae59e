import { connect } from './source.js'

/**
 * Has terms of retention erase nothing for a day after a restore: holds that are younger than the backup have to be made again
 * before.
 */
export async function delayRetention(url: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query('select delay_retention(null, now())')
  } finally {
    await client.end()
  }
}
