/** The holder of a place at which something of a webhook is under way: its organization, and the contact center of that. */
export interface PlaceHolder {
  organizationId: string
  org1: string
}

/** Parameters of {@link fairPlacesSql}: each place that is held, by organization and by contact center. */
export function heldBy(holders: readonly PlaceHolder[]): [organizations: string[], centers: string[]] {
  return [holders.map(({ organizationId }) => organizationId), holders.map(({ org1 }) => org1)]
}

/**
 * CTEs that choose from `due`, which has `organization_id`, `org1` and `turn`, as `chosen`. An organization, and a contact
 * center, takes half of what is free beyond what it has: receivers that answer late, however many, leave places for
 * others.
 * @param parameters placeholders: `free` the number of free places, the others as {@link heldBy} gives them
 */
export function fairPlacesSql(parameters: { free: string; organizations: string; centers: string }): string {
  const { free, organizations, centers } = parameters
  // The first place is given while any is left.
  const share = (held: string): string =>
    `case when ${held} = 0 then greatest(1, ${free}::int / 2) else (${free}::int - ${held}) / 2 end`
  const counted = (holders: string): string =>
    `select holder, count(*)::int as number from unnest(${holders}::uuid[]) as holder group by holder`
  return `holding as materialized (
  select d.*, coalesce(o.number, 0) as held, coalesce(c.number, 0) as center_held
  from due d left join (${counted(organizations)}) o on o.holder = d.organization_id
    left join (${counted(centers)}) c on c.holder = d.org1
), placed as materialized (
  select *, row_number() over (partition by organization_id order by turn) as place from holding
), chosen as materialized (
  select c.* from (
    select *, row_number() over (partition by org1 order by held + place, turn) as center_place from placed
    where place <= ${share('held')}
  ) c where center_place <= ${share('center_held')}
  order by held + place, turn limit ${free}
)`
}
