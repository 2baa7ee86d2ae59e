/**
 * SQL: the addresses of consumers in the payload of a job of this table. A payload names a consumer by `conversation`, `contact`,
 * `other`, or by `addresses` or `recipient` at its `service`: by these its jobs are found when the contact is deleted.
 */
export const addressesOfJobSql = (job: string): string => `
select jsonb_array_elements_text(case jsonb_typeof(${job}.payload -> 'addresses') when 'array' then ${job}.payload -> 'addresses' else '[]' end) as address
union all select ${job}.payload ->> 'recipient'`

/** SQL: a pseudonym of an address at a service, by which a job is found that holds it, and that reveals nothing. */
export const addressNameSql = (service: string, address: string): string =>
  `erased_name(${service} || ' ' || ltrim(${address}, '+'))`
