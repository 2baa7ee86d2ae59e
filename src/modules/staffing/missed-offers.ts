/** Expired offers in a row after which an agent is not responding. */
export const MISSES_MAX = 2
/** An expired offer that nobody judged for this long, because its job failed, is not waited for. */
const VERDICT_SECONDS_MAX = 60

/**
 * SQL of whether the offers that an agent let expire are too many if they count as misses, which is not known yet: until
 * then nothing more is offered to it. Offers that were pending together are one miss, as `COUNT` of the jobs counts them.
 * @param staff alias of the agent's `staff` row, which may be of a left join
 */
export const awaitsVerdictSql = (staff: string): string => `exists (
  select from offer o where o.user_id = ${staff}.user_id and ${isUnjudged('o', staff)}
    and (${staff}.misses >= ${MISSES_MAX - 1} or exists (
      select from offer l where l.user_id = ${staff}.user_id and ${isUnjudged('l', staff)}
        and l.recorded_at >= o.end_recorded_at)))`

/** Uses the index of expired offers that are not judged. */
const isUnjudged = (offer: string, staff: string): string => `${offer}.outcome = 'expired' and not ${offer}.judged
  and ${offer}.recorded_at >= coalesce(${staff}.misses_from, '-infinity')
  and ${offer}.end_recorded_at > now() - interval '${VERDICT_SECONDS_MAX} seconds'`
