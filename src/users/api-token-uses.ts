import type { WriteTx } from '../events/transact.js'

/**
 * Ends the guests' sign-ins that were opened with an API token. Must be called wherever a token ends, before it is
 * replaced. @returns the contacts whose cached callers must be dropped
 */
export async function endUsesOfApiToken(tx: WriteTx, apiTokenId: string | null, now: Date): Promise<string[]> {
  if (apiTokenId === null) return []
  const rows = await tx.query<{ contact_id: string }>(
    `update token_family set revoked_at = $2 where api_token_id = $1 and revoked_at is null
     returning contact_id`,
    [apiTokenId, now],
  )
  return [...new Set(rows.map(({ contact_id: contact }) => contact))]
}
