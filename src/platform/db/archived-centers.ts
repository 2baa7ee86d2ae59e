/** Ids of the archived contact centers: read once a statement, by an index that has nothing else. */
const ARCHIVED = `array(select org1 from contact_center where archived_at is not null)`

/** The condition that a row's contact center is in use. @param alias of a table with `org1`; never from a client's input */
export function isCenterInUseSql(alias: string): string {
  return `${alias}.org1 <> all(${ARCHIVED})`
}

/** The same for a row that names its organization only. */
export function isOrganizationInUseSql(alias: string): string {
  return `${alias}.organization_id <> all(array(select id from organization where org1 = any(${ARCHIVED})))`
}
