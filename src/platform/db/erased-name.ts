/**
 * SQL: whether a column holds one of these values, or the name under which an erasure keeps one (`erased_name`). The names are made
 * once: a plan that filters rows by the function makes them for each row that it looks at.
 * @param values SQL of type text
 */
export const isNamedSql = (column: string, ...values: string[]): string =>
  `${column} = any((select array[${values.flatMap((value) => [value, `erased_name(${value})`]).join(', ')}])::text[])`
