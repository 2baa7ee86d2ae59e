/**
 * SQL of the pieces that quarters of an hour cut a time into: `at` is in the quarter of its piece. The last one, which may
 * be empty, ends with the time.
 */
export const piecesSql = (from: string, to: string): string => `
select greatest(q.start, ${from}) as at, row_number() over (order by q.start) as n, q.start + interval '15 minutes' > ${to} as last,
  round(date_part('epoch', least(q.start + interval '15 minutes', ${to}) - greatest(q.start, ${from})) * 1000)::int8 as ms
from generate_series(date_bin('15 minutes', ${from}, 'epoch'::timestamptz), ${to}, interval '15 minutes') as q(start)`
