/** SQL: the values, and the names under which an erasure keeps them (`erased_name`), as an array. */
const namesSql = (values: readonly string[]): string =>
  `(select array[${values.flatMap((value) => [value, `pseudonym(s.value, ${value})`]).join(', ')}]
     from server_secret s where s.name = 'erasure')::text[]`

/**
 * SQL: whether a column holds one of these values, or the name under which an erasure keeps one. The names are made
 * once: a plan that filters rows by the function makes them for each row that it looks at.
 * @param values SQL of type text
 */
export const isNamedSql = (column: string, ...values: string[]): string => `${column} = any(${namesSql(values)})`

/**
 * SQL: the rows of `inbound_message` that a provider has named so, for `from`. Each name is looked up by the whole key: a plan for one
 * array of them may read all messages of a service, which are few on average and many for the one that is busy.
 * @param service SQL of type uuid
 * @param values SQL of type text
 */
export const inboundNamedSql = (service: string, ...values: string[]): string => `(
  select found.* from unnest(${namesSql(values)}) as n(name) cross join lateral (
    select * from inbound_message where service_id = ${service} and provider_id = n.name limit 1) found)`
