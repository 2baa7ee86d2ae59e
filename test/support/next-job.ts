import type { TestServer } from './test-server.js'

/** Advances the clock to the next job of a kind, with these members of its payload, and no further: sign-ins end with time. */
export async function letNextComeDue(
  { clock, server }: Pick<TestServer, 'clock' | 'server'>,
  kind: string,
  payload: object = {},
): Promise<void> {
  const [row] = await server.database.query<{ at: Date | null }>(
    `select min(run_at) as at from job where kind = $1 and payload @> $2::jsonb and run_at < 'infinity'`,
    [kind, JSON.stringify(payload)],
  )
  const leftMs = (row!.at?.getTime() ?? 0) - clock.now().getTime()
  if (leftMs > 0) clock.advance(leftMs + 1)
}
