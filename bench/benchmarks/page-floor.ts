import type { ClientBase } from 'pg'
import type { Floor } from '../harness/load-process.js'

/** @param organization whose page it is */
export const floor: Floor<string> = (client, organization) => floorPage(client, organization)

/** The same page as one prepared statement that returns JSON, parsed by `pg` and written by `JSON.stringify`. */
export async function floorPage(client: ClientBase, organization: string): Promise<string> {
  const { rows } = await client.query<{ page: unknown }>({ name: 'floor-page', text: PAGE, values: [organization] })
  return JSON.stringify({ data: { conversations: rows[0]!.page } })
}

const PAGE = `
with page as (
  select c.id, c.name, c.status, c.contact_id from conversation c where c.org1 = $1 order by c.id desc limit 51
), edges as (
  select c.id, json_build_object('node', json_build_object(
    'id', c.id, 'name', c.name, 'status', upper(c.status),
    'participants', coalesce((
      select json_agg(json_build_object('user', json_build_object('displayName', u.display_name)) order by p.created_at, p.user_id)
      from participant p left join app_user u on u.id = p.user_id and u.org1 = $1 where p.conversation_id = c.id), '[]'),
    'contact', (select json_build_object('profile', json_build_object('name', ct.profile ->> 'name'))
      from contact ct where ct.id = c.contact_id and ct.org1 = $1),
    'lastMessage', (select json_build_object('text', m.text)
      from message m where m.conversation_id = c.id order by m.position desc limit 1)
  )) as edge
  from page c order by c.id desc limit 50
)
select json_build_object(
  'edges', (select json_agg(edge order by id desc) from edges),
  'pageInfo', json_build_object('hasNextPage', (select count(*) > 50 from page))) as page`
